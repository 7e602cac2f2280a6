/** The code of the failure of a request whose transport was disposed, because its service was removed or the window closes. */
export const disposedCode = 'DISPOSED';
