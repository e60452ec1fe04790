# SPDX-License-Identifier: GPL-2.0
#
# What the Makefiles of pidns/, timens/ and fork/ share. They are ordinary
# kselftest Makefiles: lib.mk of the kernel does the running and installing;
# this file says what to build, and how.
#
#   *_test.c, *_perf.c   a test program each, built, run and installed
#   *_test.sh            a test script, run and installed
#   *_probe.c            a program that tests execute: static where a static
#                        libc exists, and also as *_probe32 where the compiler
#                        can make 32-bit programs
#   any other .c here    helpers of this directory, linked like ../lib/*.c
#
# So a new test is one new file.

# --- the kernel's harness -----------------------------------------------------
# Either the kernel tree this directory lies in or is linked into, or the copy
# that `make setup` (or KSRC=) leaves in ../.harness. make resolves symbolic
# links when it enters a directory, so a tree that merely links here shows only
# in what it hands down: OUTPUT, SRC_PATH, and PWD of the calling shell.
is_ksft = $(and $(wildcard $(1)/kselftest_harness.h),$(wildcard $(1)/lib.mk),$(wildcard $(1)/kselftest/runner.sh))
ksft_dirs := $(CURDIR)/../..
ksft_dirs += $(if $(OUTPUT),$(abspath $(OUTPUT)/../..) $(abspath $(OUTPUT)/..))
ksft_dirs += $(SRC_PATH) $(PWD) $(abspath $(PWD)/..) $(abspath $(PWD)/../..)
ksft_dirs += $(CURDIR)/../.harness/tools/testing/selftests
ksft := $(realpath $(firstword $(foreach d,$(ksft_dirs),$(if $(call is_ksft,$(d)),$(d)))))

ifeq ($(ksft),)
$(error the kselftest harness is not here yet: run "make setup" in $(abspath ..), or give KSRC=<kernel tree>)
endif

# --- what to build ------------------------------------------------------------
tests  := $(patsubst %.c,%,$(wildcard *_test.c *_perf.c))
probes := $(patsubst %.c,%,$(wildcard *_probe.c))
helpers := $(filter-out %_test.c %_perf.c %_probe.c,$(wildcard *.c))

TEST_GEN_PROGS := $(tests)
TEST_GEN_PROGS_EXTENDED := $(probes)
TEST_PROGS := $(wildcard *_test.sh)
# lib.mk installs this by itself from 6.1 on.
TEST_FILES := $(wildcard settings)

include $(ksft)/lib.mk

# The runner names a test after the part of $PWD below the harness, and looks
# for `settings` there. Where that directory is a link to this one, PWD has to
# say so; POSIX lets a shell believe an exported PWD that is the current
# directory by another name.
below := $(patsubst $(BUILD)/%,%,$(OUTPUT)) $(patsubst $(ksft)/%,%,$(PWD)) $(notdir $(CURDIR))
here := $(firstword $(foreach d,$(below),$(if $(filter $(CURDIR),$(realpath $(ksft)/$(d))),$(ksft)/$(d))))
export PWD := $(or $(here),$(CURDIR))

# --- how to build -------------------------------------------------------------
# Own variables and rules: CFLAGS on the command line must not remove what the
# sources cannot do without, and the pattern rule of 5.10 ignores our headers.
hdrs := $(wildcard *.h ../lib/*.h) $(ksft)/kselftest.h $(ksft)/kselftest_harness.h
mk := $(lastword $(filter %/collection.mk,$(MAKEFILE_LIST)))
objdir := $(OUTPUT)/.lib
archive := $(objdir)/lib.a
objs := $(patsubst %.c,$(objdir)/%.o,$(notdir $(wildcard ../lib/*.c)) $(helpers))

ifneq ($(LLVM),)
AR := $(firstword $(shell command -v $(LLVM_PREFIX)llvm-ar$(LLVM_SUFFIX)) $(CROSS_COMPILE)ar)
else
AR := $(CROSS_COMPILE)ar
endif

# _GNU_SOURCE is spelled as lib.mk from 6.12 on spells it, so that it may come twice.
base_flags := -std=gnu11 -O2 -g -Wall -D_GNU_SOURCE= -I. -I../lib -I$(ksft)
compile = $(CC) $(base_flags) $(CFLAGS) $(CPPFLAGS)
libs = $(archive) $(LDLIBS) -lcap -pthread
say = @printf '  %-7s %s\n' $(1) $(2)

$(tests:%=$(OUTPUT)/%): $(OUTPUT)/%: %.c $(archive) $(hdrs) $(mk)
	$(call say,CC,$(notdir $@))
	@$(compile) $(LDFLAGS) $< $(libs) -o $@

$(probes:%=$(OUTPUT)/%): $(OUTPUT)/%: %.c $(archive) $(hdrs) $(mk)
	$(call say,CC,$(notdir $@))
	@$(compile) -static $(LDFLAGS) $< $(libs) -o $@ 2>/dev/null || \
	 $(compile) $(LDFLAGS) $< $(libs) -o $@

$(archive): $(objs)
	@rm -f $@ && $(AR) rcs $@ $^

$(objdir)/%.o: ../lib/%.c $(hdrs) $(mk) | $(objdir)
	@$(compile) -c $< -o $@

$(objdir)/%.o: %.c $(hdrs) $(mk) | $(objdir)
	@$(compile) -c $< -o $@

$(objdir):
	@mkdir -p $@

# Keeps make from saying "Nothing to be done" in the middle of the results.
all:
	@:

EXTRA_CLEAN += $(objdir)
