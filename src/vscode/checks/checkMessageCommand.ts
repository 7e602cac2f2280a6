/**
 * Opens the request of an attempt. Internal, so the manifest doesn't list it. In a separate file, because activation
 * loads it.
 */
export const openCheckRequestCommand = 'parlance.internal.openCheckRequest';
