# SPDX-License-Identifier: GPL-2.0
#
# `make help` says what there is. The kernel's own kselftest Makefile does the
# work; this one finds it and hands the directories to it.

dirs := pidns timens fork
top := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))

.DEFAULT_GOAL := all

ifneq ($(word 2,$(CURDIR)),)
$(error make cannot work in "$(CURDIR)": the path must not hold blanks)
endif

ifeq ($(origin OUTPUT),command line)

# --- called by that Makefile, as one of its TARGETS ---------------------------
# Every directory gets its turn; one that does not build makes the end a failure.
# PWD still is the driver's directory, which the loop's shell forgets.
each = ret=0; for d in $(dirs); do mkdir -p $(OUTPUT)/$$d && \
	$(MAKE) -C $$d OUTPUT=$(OUTPUT)/$$d DRIVER=$(PWD) $(1) || ret=1; done; exit $$ret

all run_tests clean:
	@$(call each,$@)

install:
	@$(call each,install INSTALL_PATH=$(INSTALL_PATH)/$$d)

emit_tests:
	@$(call each,-s emit_tests COLLECTION=$(COLLECTION)/$$d)

.PHONY: all run_tests install emit_tests clean

else

# --- called by a person -------------------------------------------------------
# The kernel tree we lie in (PWD tells when it only links to us), or our copy.
in_tree = $(and $(filter $(top),$(realpath $(1))),\
	$(wildcard $(abspath $(1)/..)/kselftest/runner.sh),$(1))
here := $(or $(call in_tree,$(top)),$(call in_tree,$(PWD)))
prefix := $(if $(here),$(notdir $(here))/)
ksft := $(if $(here),$(abspath $(here)/..),$(top)/.harness/tools/testing/selftests)

TARGETS ?= $(dirs)
targets := $(TARGETS:%=$(prefix)%)
objtree := $(abspath $(or $(O),$(KBUILD_OUTPUT)))
instdir := $(abspath $(or $(KSFT_INSTALL_PATH),$(INSTALL_PATH),$(or \
	$(objtree:%=%/kselftest),$(if $(here),$(ksft),$(top)))/kselftest_install))

# make hands on what came from its own command line, where relative paths start
# here. Without FORCE_TARGETS the kernel's Makefile passes over what fails to build.
driver = $(MAKE) --no-print-directory -C $(ksft) TARGETS="$(targets)" KSRC= \
	FORCE_TARGETS=1 INSTALL_PATH=$(instdir) KSFT_INSTALL_PATH=$(instdir) \
	$(if $(objtree),O=$(objtree))

all run_tests: ready
	+@$(driver) $@

# run_all.sh needs a program of its own; the driver knows nothing of either.
ifeq ($(origin CC),default)
CC := $(if $(LLVM),clang $(CROSS_COMPILE:%-=--target=%),$(CROSS_COMPILE)gcc)
endif

install: ready
	+@$(driver) install
	@$(top)/lib/build/install.sh $(instdir)/$(prefix) $(CC) $(USERCFLAGS) $(USERLDFLAGS)

gen_tar: install
	+@$(driver) gen_tar

clean: ready
	+@$(driver) clean
	@rm -rf $(addsuffix /.lib,$(or $(objtree),$(top)/lib/run $(top)/lib/selftest))

ready:
	@$(top)/lib/build/ready.sh $(ksft) "$(KSRC)" $(targets)

setup:
	@$(top)/lib/build/setup.sh $(if $(here),-t $(ksft)) $(if $(ARCHS),-a "$(ARCHS)") "$(KSRC)"

lint = $(top)/lib/build/lint.sh $(ksft)/../../..

# "+": it calls make, which otherwise complains about the jobs that -j allows.
check: all
	@$(top)/lib/build/setup.sh -c -p
	+@LINT="$(lint)" $(top)/lib/selftest/check.sh

# RUNS=N STATE=FILE: many runs instead; ONLY= conditions, WHAT= tests.
check-stress: all
	@RUNS="$(RUNS)" STATE="$(STATE)" WHAT="$(WHAT)" \
		$(top)/lib/selftest/stress/check.sh $(ONLY)

# RUNS=N of each series, STATE=FILE remembers them; ONLY= parts, WHAT= programs.
check-costs: all
	@RUNS="$(RUNS)" STATE="$(STATE)" WHAT="$(WHAT)" \
		$(top)/lib/selftest/costs/check.sh $(ONLY)

check-kernels: ready
	@$(top)/lib/build/setup.sh -k -p
	@$(top)/lib/build/check_kernels.sh $(KERNELS)

check-bisect: ready
	@$(top)/lib/build/setup.sh -k -p
	@KSRC="$(abspath $(KSRC))" $(top)/lib/build/check_bisect.sh $(VARIANTS)

lint:
	@$(lint)

help:
	@cat $(top)/lib/build/help

# Also with -j, what was asked for together with setup comes after it.
ifneq ($(filter setup,$(MAKECMDGOALS)),)
ready check check-stress check-costs check-kernels check-bisect lint: | setup
endif

.PHONY: all run_tests install gen_tar clean ready setup check check-kernels check-bisect check-stress check-costs lint help

endif
