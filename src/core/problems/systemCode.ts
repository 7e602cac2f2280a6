/** The system's word for what went wrong, such as `ENOSPC`; empty where it has none. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
