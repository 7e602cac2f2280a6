/** Error codes that another program, for example a virus scanner or a backup, can cause for a moment. */
const passing = new Set(['EPERM', 'EBUSY', 'EACCES', 'EMFILE', 'ENFILE', 'EAGAIN']);

/** The system's error code, for example `ENOENT`. */
export function diskCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function isMissing(error: unknown): boolean {
  return diskCodeOf(error) === 'ENOENT';
}

/** Whether the same call might succeed a moment later. On Windows, any of these codes can mean "in use". */
export function isPassing(error: unknown): boolean {
  return passing.has(diskCodeOf(error) ?? '');
}
