/** How long something that the user deleted stays on disk, because it can be restored until then. In milliseconds. */
export const KEEP_DELETED_MS = 7 * 24 * 60 * 60 * 1000;
