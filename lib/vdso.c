// SPDX-License-Identifier: GPL-2.0
/* Symbol lookup in the vDSO, an ELF image the kernel maps; see vdso.h. */
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "vdso.h"

/* By names without parentheses formatters see that these are types. */
#define elf_addr ElfW(Addr)
#define elf_dyn ElfW(Dyn)
#define elf_ehdr ElfW(Ehdr)
#define elf_phdr ElfW(Phdr)
#define elf_sym ElfW(Sym)

/* The dynamic section of the image, digested. */
struct image {
	const elf_sym *sym;
	unsigned long bias; /* address minus what the image says */
	const char *str;
	unsigned long nsym;
};

unsigned long vdso_base(void)
{
	return getauxval(AT_SYSINFO_EHDR);
}

/*
 * DT_GNU_HASH does not say how many symbols there are: the last one is the end
 * of the chain that starts highest.
 */
static unsigned long gnu_hash_symbols(const uint32_t *hash)
{
	uint32_t nbucket = hash[0], first = hash[1], bloom_words = hash[2];
	const uint32_t *bucket =
		hash + 4 + bloom_words * (sizeof(elf_addr) / 4);
	const uint32_t *chain = bucket + nbucket;
	uint32_t i, last = 0;

	for (i = 0; i < nbucket; i++)
		if (bucket[i] > last)
			last = bucket[i];
	if (last < first)
		return first;
	while (!(chain[last - first] & 1))
		last++;
	return last + 1;
}

/* DT_HASH has 64-bit words on s390x and alpha, against the standard. */
static unsigned long sysv_hash_symbols(const void *hash)
{
#if defined(__s390x__) || defined(__alpha__)
	return ((const uint64_t *)hash)[1];
#else
	return ((const uint32_t *)hash)[1];
#endif
}

static void read_dynamic(struct image *img, const elf_dyn *dyn)
{
	for (; dyn->d_tag != DT_NULL; dyn++) {
		const void *at = (void *)(img->bias + dyn->d_un.d_ptr);

		if (dyn->d_tag == DT_SYMTAB)
			img->sym = at;
		else if (dyn->d_tag == DT_STRTAB)
			img->str = at;
		else if (dyn->d_tag == DT_HASH)
			img->nsym = sysv_hash_symbols(at);
		else if (dyn->d_tag == DT_GNU_HASH && !img->nsym)
			img->nsym = gnu_hash_symbols(at);
	}
}

static int open_image(struct image *img)
{
	const elf_ehdr *ehdr;
	unsigned long base = vdso_base(), dynamic = 0;
	int i;

	memset(img, 0, sizeof(*img));
	if (!base)
		return 0;
	ehdr = (void *)base;
	for (i = 0; i < ehdr->e_phnum; i++) {
		const elf_phdr *phdr = (elf_phdr *)(base + ehdr->e_phoff) + i;

		if (phdr->p_type == PT_LOAD && !img->bias)
			img->bias = base + phdr->p_offset - phdr->p_vaddr;
		if (phdr->p_type == PT_DYNAMIC)
			dynamic = base + phdr->p_offset;
	}
	if (dynamic)
		read_dynamic(img, (void *)dynamic);
	return img->sym && img->str && img->nsym;
}

static void *find(const struct image *img, const char *name)
{
	unsigned long i;

	for (i = 1; i < img->nsym; i++)
		if (img->sym[i].st_shndx != SHN_UNDEF &&
		    !strcmp(img->str + img->sym[i].st_name, name))
			return (void *)(img->bias + img->sym[i].st_value);
	return NULL;
}

void *vdso_find(const char *name)
{
	static const char *const prefixes[] = { "__vdso_", "__kernel_" };
	struct image img;
	char full[64];
	void *at;
	size_t i;

	if (!open_image(&img))
		return NULL;
	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		snprintf(full, sizeof(full), "%s%s", prefixes[i], name);
		at = find(&img, full);
		if (at)
			return at;
	}
	return NULL;
}
