import type { Frame } from 'playwright-core';
import type { WorkbenchPage } from '../ui/workbenchPage.ts';
import { canaryCommand } from '../workbench/writeDriverExtension.ts';
import { canaryHost, canaryIcon } from './hostileWords.ts';

const signs = {
  icon: `.codicon-${canaryIcon}`,
  link: `[href*="${canaryCommand}"], [data-href*="${canaryCommand}"]`,
  picture: `img[src*="${canaryHost}"]`,
};

/** Parts of VS Code itself, which shows file names as they are on disk. */
const notOurs =
  '.view-lines, .explorer-folders-view, .tabs-container, .breadcrumbs-control, .monaco-breadcrumbs, title';

type Found = readonly string[];

/** From now on, records every icon, link, and image that hostile text turns into, however briefly it is visible. */
export async function watchLiveSigns(workbench: WorkbenchPage): Promise<void> {
  await workbench.page.evaluate(
    ([selectors, spared]) => {
      const found = new Set<string>();
      Object.assign(globalThis, { parlanceLiveSigns: found, parlanceCanary: () => found.add('script ran') });
      const look = (element: Element): void => {
        for (const [kind, selector] of Object.entries(selectors)) {
          const live = element.matches(selector) ? element : element.querySelector(selector);
          if (live) found.add(`${kind}: ${(live.closest('div')?.outerHTML ?? live.outerHTML).slice(0, 400)}`);
        }
      };
      const read = (node: Node): void => {
        const text = node.textContent ?? '';
        const element = node instanceof Element ? node : node.parentElement;
        if (/[\u202a-\u202e\u2066-\u2069]/.test(text) && element && !element.closest(spared)) {
          const holders = [element, ...element.querySelectorAll('*')].filter((each) =>
            [...each.childNodes].some(
              (child) => child instanceof Text && /[\u202a-\u202e\u2066-\u2069]/.test(child.data),
            ),
          );
          for (const each of holders) {
            if (!each.closest(spared)) found.add(`direction: ${JSON.stringify(each.textContent)} in ${each.className}`);
          }
        }
      };
      const take = (node: Node): void => {
        if (node instanceof Element) look(node);
        read(node);
      };
      new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes) {
          take(target);
          for (const node of addedNodes) take(node);
        }
      }).observe(document, {
        subtree: true,
        childList: true,
        characterData: true,
        attributeFilter: ['href', 'data-href', 'src', 'class'],
      });
    },
    [signs, notOurs] as const,
  );
}

/** A function for the signs that it hasn't returned before. */
export function newLiveSigns(): (workbench: WorkbenchPage) => Promise<Found> {
  const known = new Set<string>();
  return async (workbench) => {
    const found = (await liveSigns(workbench)).filter((sign) => !known.has(sign));
    for (const sign of found) known.add(sign);
    return found;
  };
}

/** What was recorded so far, and what the frames of Parlance's pages contain now. */
export async function liveSigns(workbench: WorkbenchPage): Promise<Found> {
  const noted = await workbench.page.evaluate(() => {
    const found: unknown = Object(globalThis).parlanceLiveSigns;
    if (!(found instanceof Set)) throw new Error('Nobody watches');
    return [...found].map(String);
  });
  const [, ...frames] = workbench.page.frames();
  const inFrames = (await Promise.all(frames.map((frame) => signsIn(frame)))).flat();
  return [...noted, ...inFrames, ...workbench.foreignRequests.filter((href) => href.includes(canaryHost))];
}

async function signsIn(frame: Frame): Promise<Found> {
  try {
    return await frame.evaluate(
      (selectors) =>
        Object.entries(selectors).flatMap(([kind, selector]) =>
          [...document.querySelectorAll(selector)].map((live) => `${kind} in a page: ${live.outerHTML.slice(0, 400)}`),
        ),
      signs,
    );
  } catch {
    // It has disappeared.
    return [];
  }
}
