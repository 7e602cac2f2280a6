import type { Page } from 'playwright-core';

const pagesFolder = 'out/vs/workbench/contrib/webview/browser/pre/';

/**
 * Installs the service worker of VS Code's webviews before VS Code opens any. A webview that begins to load while the
 * worker takes over those before it is left out: it waits for a `controllerchange` that never comes, and stays empty
 * until the window is reloaded. That happens here because all webviews of a window have one origin.
 * @param address of the workbench, with its token.
 * @returns the worker's script.
 */
export async function installWebviewWorker(page: Page, address: string): Promise<string> {
  const textOf = async (url: string): Promise<string> => (await page.request.get(url)).text();
  const files = /[\w/.-]*\/static\//.exec(await textOf(address))?.[0];
  if (files === undefined) throw new Error(`${address} doesn't say where VS Code's files are.`);
  const folder = new URL(files + pagesFolder, address);
  const version = /VERSION\s*=\s*(\d+)/.exec(await textOf(new URL('service-worker.js', folder).href))?.[1];
  await page.goto(new URL('fake.html', folder).href);
  // As VS Code names it: another name would be another worker.
  const script = `service-worker.js?v=${version}&vscode-resource-base-authority=vscode-resource.vscode-cdn.net&remoteAuthority=${folder.host}&platform=browser`;
  await page.evaluate(async (url) => {
    const { serviceWorker } = navigator;
    const taken = new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
    await serviceWorker.register(url);
    if (serviceWorker.controller === null) await taken;
  }, script);
  return new URL(script, folder).href;
}

/** The scripts of all workers that the window's webviews have. */
export async function webviewWorkers(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const registrations = await navigator.serviceWorker.getRegistrations();
    return registrations.flatMap(({ active, waiting, installing }) =>
      [active, waiting, installing].flatMap((worker) => (worker === null ? [] : [worker.scriptURL])),
    );
  });
}
