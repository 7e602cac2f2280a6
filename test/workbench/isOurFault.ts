/**
 * How our code appears in a stack: its bundles, or the extension's name. VS Code's own extensions have the same file
 * names in their folders.
 */
const ours =
  /parlance\.parlance|(?<![/\\](extensions|built-in)[/\\][^/\\]+)[/\\]dist[/\\](late|chunks|webview|extension\.js)/;
/** What Parlance logs itself of a message that one side of a page sent and the other rejected or failed to handle. */
export const lostMessage = /A page failed at a message|A page sent a message outside|A message can't be sent to a page/;
/**
 * VS Code's own code: the workbench, and what shows a webview's page. That one throws if the page is closed within the
 * 200 ms that it gives it to load.
 */
const vsCode = /workbench\.js|\/webview\/browser\/pre\/index\.html/;
/** The same in the extension host, with the extensions that come with VS Code. */
const vsCodeInHost = /workbench\.js|[/\\]out[/\\]vs[/\\]|[/\\](extensions|built-in)[/\\]/;
/** What nobody has handled in the extension host, as `watchHostErrors` tells it. */
const unhandled = /^extension host: (unhandled rejection|uncaught exception): /;
/** A request from something that has been closed: the message is nothing but that, after the error's name. */
const canceled = /^[^\n]*(: |\[error\] |#f33 |^(page)?error )Canceled\s*($|\n|https?:)/;
/** URLs of webviews, and of the files in them. */
const webview = /vscode-(webview|resource|cdn)/;

/**
 * Whether an error that appeared during a test is Parlance's. VS Code logs many of its own while all is well: its
 * server lacks the native parts and what code-server adds, extensions are left out, a window is reloaded, and an error
 * that is shown to a user is in its console too.
 * @param fault `error` or `pageerror` with the message and the URL it came from, or what `BoundaryRecorder` and
 * `HostDriver` collected
 */
export function isOurFault(fault: string): boolean {
  if (canceled.test(fault)) return false;
  // The window was reloaded while a page was loading. If a file is really missing, the page has an error too.
  if (/ Webview\.loadLocalResource - /.test(fault)) return false;
  // A test's own script, which observes what happens, in a page that runs none: the details of a model.
  if (fault.startsWith('error Blocked script execution in ')) return false;
  if (fault.startsWith('command parlance.') || lostMessage.test(fault)) return true;
  if (fault.startsWith('error ')) {
    const address = fault.slice(fault.lastIndexOf(' ') + 1);
    return webview.test(address) || ours.test(fault);
  }
  if (fault.startsWith('pageerror ')) {
    // The query of a webview's URL names its extension.
    const places = fault.replaceAll(/\?\S*?(?=:\d+:\d+|\s|$)/g, '');
    return !vsCode.test(places) || ours.test(places);
  }
  // What isn't an error has no stack, and an error can lack one. VS Code's own names where it is.
  if (unhandled.test(fault)) return ours.test(fault) || !vsCodeInHost.test(fault);
  return ours.test(fault);
}
