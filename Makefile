# SPDX-License-Identifier: GPL-2.0
#
# `make help` says what there is. The work is done by the kernel's own
# kselftest Makefiles; this one finds them and hands the directories over.

TARGETS ?= pidns timens fork
top := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
build := $(top)/lib/build

.DEFAULT_GOAL := all

# Below a driver (TARGETS=<name> in a kernel tree) OUTPUT says where to build.
ifneq ($(OUTPUT),)

all run_tests clean:
	@for t in $(TARGETS); do \
		mkdir -p $(OUTPUT)/$$t && \
		$(MAKE) -C $$t OUTPUT=$(OUTPUT)/$$t $@ || exit; \
	done

install:
	@for t in $(TARGETS); do \
		mkdir -p $(OUTPUT)/$$t && \
		$(MAKE) -C $$t OUTPUT=$(OUTPUT)/$$t \
			INSTALL_PATH=$(INSTALL_PATH)/$$t install || exit; \
	done

emit_tests:
	@for t in $(TARGETS); do \
		$(MAKE) -s -C $$t OUTPUT=$(OUTPUT)/$$t \
			COLLECTION=$(COLLECTION)/$$t emit_tests || exit; \
	done

.PHONY: all run_tests clean install emit_tests

else

driver := $(top)/.harness/tools/testing/selftests

all run_tests install gen_tar clean:
	@for t in $(TARGETS); do ln -sfn ../../../../$$t $(driver)/$$t; done
	@$(MAKE) --no-print-directory -C $(driver) TARGETS="$(TARGETS)" FORCE_TARGETS=1 $@

setup:
	@$(build)/setup.sh

check:
	@$(top)/lib/selftest/check.sh
	@$(MAKE) --no-print-directory lint

lint:
	@$(build)/lint.sh

.PHONY: all run_tests install gen_tar clean setup check lint

endif
