import { readFileSync } from 'node:fs';

/**
 * The largest memory that this process has held, in bytes.
 * Read from /proc where there is one: the kernel counts in `maxRSS` what the process that started this one held
 * (setmax_mm_hiwater_rss in fs/exec.c of Linux).
 */
export function peakMemory_bytes(): number {
  try {
    return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))![1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
