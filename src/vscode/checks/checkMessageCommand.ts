/** Opens the request of an attempt. Not for people, so the manifest doesn't name it. Apart, because activation loads it. */
export const openCheckRequestCommand = 'parlance.internal.openCheckRequest';
