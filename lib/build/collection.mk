# SPDX-License-Identifier: GPL-2.0
#
# What the Makefiles of pidns/, timens/ and fork/ share. They are ordinary
# kselftest Makefiles: the kernel's lib.mk does the running and installing;
# this file says what to build, and how.
#
#   *_test.c, *_perf.c   a test program each: built, run and installed
#   *_test.sh            a test script: run and installed
#   *_probe.c            a program that tests execute: static where a static
#                        libc exists, and also as *_probe32 where the compiler
#                        can make 32-bit programs
#   any other *.c        helpers of this directory, linked like those of lib/
#
# So a new test is one new file.

# --- the kernel's harness -----------------------------------------------------
# It is in the kernel tree this directory lies in or is linked into, else in the
# copy `make setup` (or KSRC=) leaves in .harness, which links to us in turn.
# make resolves symbolic links when it enters a directory, so a tree that only
# links to us shows in nothing but what it hands down: OUTPUT, SRC_PATH, PWD (and
# DRIVER, which is PWD passed on by ../Makefile).
up ?= ..
own := $(up)/.harness/tools/testing/selftests
places := $(abspath $(up)/..)
places += $(if $(OUTPUT),$(abspath $(OUTPUT)/../..) $(abspath $(OUTPUT)/..))
places += $(SRC_PATH) $(DRIVER) $(PWD) $(abspath $(PWD)/..) $(abspath $(PWD)/../..)

# Our name in the harness in directory $(1); empty if it is none or not ours.
has_harness = $(wildcard $(1)/kselftest/runner.sh)
links = $(wildcard $(1)/$(notdir $(CURDIR)) $(1)/*/$(notdir $(CURDIR)))
us_in = $(if $(call has_harness,$(1)),$(firstword $(foreach d,$(call links,$(1)),\
	$(if $(filter $(CURDIR),$(realpath $(d))),$(d))) $(filter $(realpath $(1))/%,$(CURDIR))))
place := $(firstword $(foreach p,$(places),$(if $(call us_in,$(p)),$(p))))

ifeq ($(place),)
ifneq ($(KSRC),)
ifneq ($(shell $(up)/lib/build/harness.sh $(KSRC) $(up)/.harness && echo done),done)
$(error KSRC=$(KSRC) gives no harness)
endif
endif
place := $(if $(call has_harness,$(own)),$(own))
endif

ifeq ($(place),)
$(error no kselftest harness yet: run "make setup" in $(abspath $(up)))
endif
ksft := $(realpath $(place))
here := $(or $(call us_in,$(ksft)),$(CURDIR))

# --- what to build ------------------------------------------------------------
tests := $(patsubst %.c,%,$(wildcard *_test.c *_perf.c))
probes := $(patsubst %.c,%,$(wildcard *_probe.c))
helpers := $(filter-out %_test.c %_perf.c %_probe.c,$(wildcard *.c))

TEST_GEN_PROGS := $(tests)
TEST_GEN_PROGS_EXTENDED := $(probes)
TEST_PROGS := $(wildcard *_test.sh)
# lib.mk installs this by itself from 6.1 on.
TEST_FILES := $(wildcard settings)

include $(ksft)/lib.mk

ifneq ($(probes),)
ifeq ($(shell $(up)/lib/build/toolchain.sh -try $(CC) -m32 $(LDFLAGS) && echo yes),yes)
probes32 := $(probes:%=%32)
TEST_GEN_PROGS_EXTENDED += $(probes32:%=$(OUTPUT)/%)
all: $(probes32:%=$(OUTPUT)/%)
endif
endif

# The runner names a test after the part of $PWD below the harness, and looks
# for `settings` there. Where that directory is a link to this one, PWD has to
# say so: POSIX lets a shell believe an inherited PWD that is the current
# directory by another name.
export PWD := $(here)

# --- how to build -------------------------------------------------------------
# Own variables and rules: CFLAGS on the command line must not remove what the
# sources cannot do without, and the pattern rule of 5.10 ignores our headers.
hdrs := $(wildcard *.h $(up)/lib/*.h $(up)/lib/perf/*.h) $(ksft)/kselftest.h $(ksft)/kselftest_harness.h
hdrs += $(lastword $(filter %/collection.mk,$(MAKEFILE_LIST)))
objdir := $(OUTPUT)/.lib
sources := $(notdir $(wildcard $(up)/lib/*.c $(up)/lib/perf/*.c)) $(helpers)

AR := $(CROSS_COMPILE)ar
ifneq ($(LLVM),)
AR := $(or $(shell command -v $(LLVM_PREFIX)llvm-ar$(LLVM_SUFFIX)),$(AR))
endif

# _GNU_SOURCE is spelled as in lib.mk from 6.12 on, so that it may come twice.
# Headers of the kernel tree are not used (KHDR_INCLUDES): what is built must
# not depend on whether somebody installed them; lib/uapi.h has what is new.
# The harness is a system header: its own warnings (-Wextra) are not ours.
base_flags := -std=gnu11 -O2 -g -Wall -D_GNU_SOURCE= -I. -I$(up)/lib -I$(up)/lib/perf -isystem $(ksft)
compile = $(CC) $(base_flags) $(CFLAGS) $(CPPFLAGS)
libs = $(LDLIBS) -lcap -pthread
silent := $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
say = $(if $(silent),,@printf '  %-7s %s\n' $(1) $(notdir $@))

$(tests:%=$(OUTPUT)/%): $(OUTPUT)/%: %.c $(objdir)/lib.a $(hdrs)
	$(call say,CC)
	@$(compile) $(LDFLAGS) $< $(objdir)/lib.a $(libs) -o $@

# The first attempt is silent: it fails where there is no static libc.
static_or_not = $(1) -static $(2) 2>/dev/null || $(1) $(2)

$(probes:%=$(OUTPUT)/%): $(OUTPUT)/%: %.c $(objdir)/lib.a $(hdrs)
	$(call say,CC)
	@$(call static_or_not,$(compile),$(LDFLAGS) $< $(objdir)/lib.a $(libs) -o $@)

# libcap is rarely there for 32 bits, and no probe needs it.
$(probes32:%=$(OUTPUT)/%): $(OUTPUT)/%32: %.c $(objdir)/lib32.a $(hdrs)
	$(call say,CC)
	@$(call static_or_not,$(compile) -m32,$(LDFLAGS) $< $(objdir)/lib32.a -pthread -o $@)

$(objdir)/lib.a: $(sources:%.c=$(objdir)/%.o)
$(objdir)/lib32.a: $(sources:%.c=$(objdir)/%.32.o)
$(objdir)/lib.a $(objdir)/lib32.a:
	@rm -f $@ && $(AR) rcs $@ $^

vpath %.c $(up)/lib $(up)/lib/perf
$(objdir)/%.o: %.c $(hdrs) | $(objdir)
	@$(compile) -c $< -o $@
$(objdir)/%.32.o: %.c $(hdrs) | $(objdir)
	@$(compile) -m32 -c $< -o $@

# Everything waits for this directory, so it is the place to look at the
# compiler first and to say in one line what is missing.
$(objdir):
	@$(up)/lib/build/toolchain.sh $(CC) $(LDFLAGS) && mkdir -p $@

# Keeps make from saying "Nothing to be done" in the middle of the results.
all:
	@:

EXTRA_CLEAN += $(objdir)
