// SPDX-License-Identifier: GPL-2.0
/* Debug options and hypervisors, from whatever this machine shows of them. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386)
#include <cpuid.h>
#endif

#include "env_debug.h"
#include "procfs.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Each makes some operation of ours dearer by more than any limit. */
static const char *const distorting[] = {
	"KASAN",
	"KCSAN",
	"KMSAN",
	"PROVE_LOCKING",
	"LOCK_STAT",
	"DEBUG_LOCK_ALLOC",
	"SLUB_DEBUG_ON",
	"DEBUG_PAGEALLOC_ENABLE_DEFAULT",
	"DEBUG_OBJECTS",
	"KCOV_INSTRUMENT_ALL",
	"GCOV_PROFILE_ALL",
	"DEBUG_VM_PGTABLE",
	"PREEMPT_TRACER",
	"IRQSOFF_TRACER",
	"DEBUG_ATOMIC_SLEEP",
	"RCU_STRICT_GRACE_PERIOD",
};

static void add(char *buf, size_t size, const char *name)
{
	size_t n = strlen(buf);

	/* Found by two ways. */
	if (strstr(buf, name))
		return;
	if (n + 1 < size)
		snprintf(buf + n, size - n, "%s%s", n ? "+" : "", name);
	for (; buf[n]; n++)
		buf[n] = tolower(buf[n]);
}

static FILE *open_config(int *piped)
{
	char path[sizeof(((struct utsname *)0)->release) + 16];
	struct utsname u;

	*piped = !access("/proc/config.gz", R_OK);
	if (*piped)
		return popen("zcat /proc/config.gz 2>/dev/null", "re");
	if (uname(&u))
		return NULL;
	snprintf(path, sizeof(path), "/boot/config-%s", u.release);
	return fopen(path, "re");
}

static void close_config(FILE *f, int piped)
{
	if (f && piped)
		pclose(f);
	else if (f)
		fclose(f);
}

static void from_config(char *buf, size_t size)
{
	char line[256], wanted[64];
	int piped;
	FILE *f = open_config(&piped);
	size_t i;

	while (f && fgets(line, sizeof(line), f)) {
		for (i = 0; i < ARRAY_SIZE(distorting); i++) {
			snprintf(wanted, sizeof(wanted), "CONFIG_%s=y\n",
				 distorting[i]);
			if (!strcmp(line, wanted))
				add(buf, size, distorting[i]);
		}
	}
	close_config(f, piped);
}

int env_config_has(const char *option)
{
	char line[256], wanted[64];
	int piped, found = 0;
	FILE *f = open_config(&piped);

	snprintf(wanted, sizeof(wanted), "CONFIG_%s=y\n", option);
	while (f && fgets(line, sizeof(line), f))
		found |= !strcmp(line, wanted);
	close_config(f, piped);
	return found;
}

int env_boot_option(const char *name, char *value, size_t size)
{
	char text[4096];
	char *word, *rest = text;

	if (proc_read("/proc/cmdline", text, sizeof(text)) <= 0)
		return 0;
	text[strcspn(text, "\n")] = '\0';
	while ((word = strsep(&rest, " "))) {
		if (strncmp(word, name, strlen(name)))
			continue;
		word += strlen(name);
		if (value)
			snprintf(value, size, "%s", word);
		return value || !*word;
	}
	return 0;
}

/* On by default where it is built in, but for an option that says otherwise. */
static void from_kmemleak(char *buf, size_t size)
{
	if (!env_config_has("DEBUG_KMEMLEAK"))
		return;
	if (env_boot_option("kmemleak=off", NULL, 0))
		return;
	if (env_config_has("DEBUG_KMEMLEAK_DEFAULT_OFF") &&
	    !env_boot_option("kmemleak=on", NULL, 0))
		return;
	add(buf, size, "DEBUG_KMEMLEAK");
}

/* What sysfs and procfs show, also when it was switched on at boot only. */
static void from_traces(char *buf, size_t size)
{
	static const char *const slub[] = {
		"/sys/kernel/slab/pid/sanity_checks",
		"/sys/kernel/slab/pid/poison",
		"/sys/kernel/slab/task_struct/red_zone",
		"/sys/kernel/slab/task_struct/store_user",
	};
	long long on;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(slub); i++) {
		if (!proc_number(slub[i], "", &on) && on)
			add(buf, size, "slub_debug_on");
	}
	if (!access("/proc/lockdep", F_OK))
		add(buf, size, "prove_locking");
	if (!access("/proc/lock_stat", F_OK))
		add(buf, size, "lock_stat");
	if (env_boot_option("debug_pagealloc=on", NULL, 0) ||
	    env_boot_option("debug_pagealloc", NULL, 0))
		add(buf, size, "debug_pagealloc");
	if (env_boot_option("page_owner=on", NULL, 0))
		add(buf, size, "page_owner");
}

void env_debug(char *buf, size_t size)
{
	buf[0] = '\0';
	from_config(buf, size);
	from_kmemleak(buf, size);
	from_traces(buf, size);
	if (!buf[0])
		snprintf(buf, size, "none");
}

#if defined(__x86_64__) || defined(__i386)
static const char *virt_name(void)
{
	/* Leaf 0x40000000; Documentation/virt/kvm/x86/cpuid.rst for KVM. */
	static const char *const known[][2] = {
		{ "TCGTCGTCGTCG", "tcg" },    { "KVMKVMKVM", "kvm" },
		{ "XenVMMXenVMM", "xen" },    { "VMwareVMware", "vmware" },
		{ "Microsoft Hv", "hyperv" },
	};
	unsigned int a, b, c, d;
	char text[13] = "";
	size_t i;

	/* Bit 31: always 0 on real hardware. */
	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & 1U << 31))
		return "none";
	__cpuid(0x40000000, a, b, c, d);
	memcpy(text, &b, 4);
	memcpy(text + 4, &c, 4);
	memcpy(text + 8, &d, 4);
	for (i = 0; i < ARRAY_SIZE(known); i++) {
		if (!strcmp(text, known[i][0]))
			return known[i][1];
	}
	return "other";
}
#else
static const char *virt_name(void)
{
	char text[4096];

	if (proc_read("/proc/cpuinfo", text, sizeof(text)) <= 0)
		return "unknown";
	/* Emulated CPUs name themselves, or nobody who makes CPUs. */
	if (strstr(text, "QEMU") || strstr(text, "CPU implementer\t: 0x00"))
		return "tcg";
	return access("/sys/hypervisor/type", F_OK) ? "none" : "other";
}
#endif

void env_virt(char *buf, size_t size)
{
	snprintf(buf, size, "%s", virt_name());
}
