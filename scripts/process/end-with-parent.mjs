/**
 * Preloaded into the child processes of the commands: when the parent is gone, also by SIGKILL, the
 * channel to it closes and the child stops as it would at SIGTERM.
 */
if (process.channel) {
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel.unref();
}
