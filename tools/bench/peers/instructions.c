// A plugin for qemu-user that counts the instructions of a program. Debian does not package the header of the plugin interface, so
// the declarations that the plugin needs are copied here (include/qemu/qemu-plugin.h of QEMU 7.2, version 1 of the interface).
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <inttypes.h>
typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int, void *, uint64_t);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);
void qemu_plugin_outs(const char *);
__attribute__((visibility("default"))) int qemu_plugin_version = 1;
static uint64_t count;
static void trans(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) { qemu_plugin_register_vcpu_tb_exec_inline(tb, 0, &count, qemu_plugin_tb_n_insns(tb)); }
static void end(qemu_plugin_id_t id, void *p) { char s[64]; snprintf(s, sizeof s, "instructions %" PRIu64 "\n", count); qemu_plugin_outs(s); }
__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
  qemu_plugin_register_vcpu_tb_trans_cb(id, trans); qemu_plugin_register_atexit_cb(id, end, NULL); return 0; }
