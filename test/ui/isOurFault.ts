/** Where our code is, in a stack: its bundles, or the name of the extension. */
const ours = /parlance\.parlance|[/\\]dist[/\\](late|chunks|webview|extension\.js)/;
/** Addresses of webviews, and of the files in them. */
const webview = /vscode-(webview|resource|cdn)/;

/**
 * Whether an error that something said beside a test is Parlance's. VS Code says many of its own while all is well: its
 * server lacks the native parts and what code-server puts around it, extensions are left out, a window is reloaded, and
 * an error that is shown to a user stands in its console too.
 *
 * @param fault `error` or `pageerror` with the words and the address it came from, or what `BoundaryRecorder` and
 * `HostDriver` gathered
 */
export function isOurFault(fault: string): boolean {
  // What was asked for by something that is closed in the meantime.
  if (/\bCanceled\b/.test(fault)) return false;
  // A test's own script, which watches what is done, in a page that runs none: the details of a model.
  if (fault.startsWith('error Blocked script execution in ')) return false;
  if (fault.startsWith('command parlance.')) return true;
  if (fault.startsWith('error ')) {
    const address = fault.slice(fault.lastIndexOf(' ') + 1);
    return webview.test(address) || ours.test(fault);
  }
  // VS Code's own code has one name.
  if (fault.startsWith('pageerror ')) return !fault.includes('workbench.js') || ours.test(fault);
  return ours.test(fault);
}
