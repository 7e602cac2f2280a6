/** How a file is delivered. */
export type Delivery =
  /** Whole or in ranges, as requested. */
  | { readonly type: 'good' }
  /** With this status instead of the file. */
  | { readonly type: 'refused'; readonly status: 403 | 404 | 410 | 500 }
  /** Correct, but the response takes this long. */
  | { readonly type: 'slow'; readonly seconds: number }
  /** Each response breaks off after half of what it promised; the rest is available with Range. */
  | { readonly type: 'broken' }
  /** The connection stays open after half, and nothing more arrives. */
  | { readonly type: 'silent' }
  /** Content-Length promises 1000 bytes more than the file has. */
  | { readonly type: 'short' }
  /** Neither Range nor ETag nor Content-Length. */
  | { readonly type: 'plain' }
  /** Breaks off like `broken`, with a different ETag each time. */
  | { readonly type: 'changing' }
  /** A login page with status 200. */
  | { readonly type: 'portal' };
