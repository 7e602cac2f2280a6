/** Codes of errors that another program, such as a virus scanner or a backup, causes for a moment. */
const passing = new Set(['EPERM', 'EBUSY', 'EACCES', 'EMFILE', 'ENFILE', 'EAGAIN']);

/** The system's name for what went wrong, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** Whether the same call may work a moment later. On Windows any of these can mean "in use". */
export function isPassing(error: unknown): boolean {
  return passing.has(codeOf(error) ?? '');
}
