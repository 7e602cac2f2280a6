import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Frame, Locator, Page } from 'playwright-core';
import type { InferenceService } from '../service/inferenceService.ts';
import { afterItsTasks } from '../workbench/afterItsTasks.ts';
import { exceptionText } from '../workbench/hearPageErrors.ts';
import { type Evidence, keepEvidence } from '../workbench/keepEvidence.ts';
import type { VsCodeServer } from '../workbench/vscodeServer.ts';
import { BoundaryRecorder } from '../workbench/boundaryRecorder.ts';
import { FaultLog } from '../workbench/faultLog.ts';
import type { HostDriver } from '../workbench/hostDriver.ts';
import { clickUntil, clickUntilReceived } from './clickUntil.ts';
import { commandId } from './commandIds.ts';
import { isOurFault } from '../workbench/isOurFault.ts';
import { installWebviewWorker, webviewWorkers } from '../workbench/webviewWorker.ts';
import { ToldMessage } from './toldMessage.ts';
import { tryUntil } from './tryUntil.ts';
import { waitUntil } from './waitUntil.ts';

export type Theme = 'light' | 'dark' | 'hc-dark' | 'hc-light';

const themes: Readonly<Record<Theme, { readonly setting: string; readonly bodyClass: string }>> = {
  light: { setting: 'Light Modern', bodyClass: 'vs' },
  dark: { setting: 'Dark Modern', bodyClass: 'vs-dark' },
  'hc-dark': { setting: 'Default High Contrast', bodyClass: 'hc-black' },
  'hc-light': { setting: 'Default High Contrast Light', bodyClass: 'hc-light' },
};

/** Only for what hangs: a reload can take more than a minute on a busy machine. Shorter than a test's own limit. */
const workbenchLimitMs = 150_000;

export interface WorkbenchParts {
  readonly server: VsCodeServer;
  readonly driver: HostDriver;
  readonly service: InferenceService;
  readonly workspace: string;
  /** Its own by default. */
  readonly boundaries?: BoundaryRecorder;
}

/** The real workbench in a browser, as a user uses it: by keyboard, mouse, and what it shows. */
export class WorkbenchPage {
  readonly page: Page;
  readonly server: VsCodeServer;
  /** For things that a test needs but isn't about. */
  readonly driver: HostDriver;
  readonly service: InferenceService;
  /** The open folder: its path, or its whole URI if it's virtual. */
  readonly workspace: string;
  readonly boundaries: BoundaryRecorder;
  readonly consoleLines: string[] = [];
  /** By a test, and none has ended since the next one was there: VS Code reports that it ended unexpectedly. */
  #isHostKilled = false;
  readonly #faultLog: FaultLog;
  #readLines = 0;
  #webviewWorker = '';
  /** URLs outside this machine that any page requested, whatever the result. */
  readonly foreignRequests: string[] = [];

  constructor(page: Page, { server, driver, service, workspace, boundaries = new BoundaryRecorder() }: WorkbenchParts) {
    this.page = page;
    this.server = server;
    this.driver = driver;
    this.service = service;
    this.workspace = workspace;
    this.boundaries = boundaries;
    this.#faultLog = new FaultLog(join(server.dataFolder, 'data', 'logs'));
    boundaries.listen(page);
    // The extension host of the previous page answers for another moment.
    page.on('domcontentloaded', () => driver.forget());
    page.on('console', (message) =>
      this.consoleLines.push(`${message.type()} ${message.text()} ${message.location().url}`),
    );
    page.on('pageerror', (error) => this.consoleLines.push(`pageerror ${exceptionText(error)}`));
    page.on('request', (request) => {
      const { protocol, hostname, href } = new URL(request.url());
      if (protocol.startsWith('http') && !/(^|\.)localhost$|^127\.0\.0\.1$/.test(hostname))
        this.foreignRequests.push(href);
    });
  }

  get context(): BrowserContext {
    return this.page.context();
  }

  /** Opens the workbench, and resolves when the extension host answers. */
  async open(): Promise<void> {
    // What an earlier start left in the same folder isn't of this one.
    await this.#faultLog.take();
    const address = this.server.address({ workspace: this.workspace });
    this.#webviewWorker = await installWebviewWorker(this.page, address);
    await this.page.goto(address, { timeout: workbenchLimitMs });
    await this.#whenReady();
  }

  /** Workers that VS Code installed for its webviews because it names theirs differently by now. */
  async otherWebviewWorkers(): Promise<readonly string[]> {
    return (await webviewWorkers(this.page)).filter((script) => script !== this.#webviewWorker);
  }

  /**
   * Reloads the window by VS Code's command, which waits until open tabs and their states are stored. A browser's reload
   * loses those of the last five seconds.
   */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load', { timeout: workbenchLimitMs });
    await this.driver.run('workbench.action.reloadWindow');
    await loaded;
    await this.#whenReady();
  }

  async #whenReady(): Promise<void> {
    await this.page.locator('.monaco-workbench').waitFor({ timeout: workbenchLimitMs });
    await this.driver.whenConnected();
  }

  /**
   * Runs a command by its title, for example `Parlance: New Chat`; uses the Command Palette only if nothing else knows
   * it.
   */
  async runCommand(title: string): Promise<void> {
    const id = await commandId(title);
    await (id === undefined ? this.runFromPalette(title) : this.driver.run(id));
  }

  /** Runs a command like a user, by its title in the Command Palette. */
  async runFromPalette(title: string): Promise<void> {
    const palette = this.page.locator('.quick-input-widget');
    const box = palette.getByRole('combobox').or(palette.getByRole('textbox')).first();
    await clickUntilReceived(`the command "${title}" in the command palette`, async (tryClick, limitMs) => {
      // No Escape before it: that would stop the reply of a focused chat.
      if (!(await palette.isVisible())) {
        await this.#leaveWebview();
        await this.page.keyboard.press('F1');
      }
      // A palette that is closing accepts no text.
      const isTyped = await box.fill(`>${title}`, { timeout: limitMs / 4 }).then(
        () => true,
        () => false,
      );
      const row = palette.getByRole('option', { name: title }).first();
      if (isTyped && (await tryClick(row))) return true;
      // It lists the commands known when it opens: those of an extension that starts later are missing.
      if (await palette.isVisible()) await this.page.keyboard.press('Escape');
      return false;
    });
  }

  /**
   * Takes the focus out of a webview, which hands F1 to VS Code in a message. When the palette closes, VS Code returns
   * the focus to where it was, in another message, which might arrive after the command has opened a picker, and take the
   * focus from it.
   */
  async #leaveWebview(): Promise<void> {
    await this.page.evaluate(() => {
      if (document.activeElement instanceof HTMLIFrameElement) document.activeElement.blur();
    });
  }

  /** Opens a file of the workspace in an editor, by its path, and resolves when it has the focus. */
  async openFile(path: string): Promise<void> {
    const name = path.split('/').at(-1) ?? path;
    const focused = this.page.locator('.editor-instance .monaco-editor.focused');
    // A chat that is just opening takes the focus away again.
    await tryUntil(`the focus in ${name}`, async (limitMs) => {
      await this.driver.open(path);
      // A reply about it has it in its title too.
      await this.page.locator(`.tab[data-resource-name="${name}"]`).first().waitFor({ timeout: 60_000 });
      await focused.waitFor({ timeout: limitMs });
      return true;
    });
    await this.page.locator('.editor-instance .view-line').first().waitFor({ timeout: 60_000 });
  }

  /**
   * Closes an editor without saving it, after a click on its tab. The command closes the active editor, and a tab doesn't
   * say that its editor is that one yet: its group, or a page in another one, might still have the focus.
   * @param name the name of its tab
   */
  async closeEditor(name: string | RegExp): Promise<void> {
    const tab = this.page.locator('.part.editor').getByRole('tab', { name }).first();
    const active = this.page.locator('.editor-group-container.active').getByRole('tab', { name, selected: true });
    await clickUntil(
      `the editor ${name}, active after a click on its tab`,
      (tryClick) => tryClick(tab),
      () => active.isVisible(),
    );
    await this.driver.run('workbench.action.revertAndCloseActiveEditor');
    await active.waitFor({ state: 'detached', timeout: 60_000 });
  }

  /** Opens the chat in its side bar. */
  async openChat(): Promise<Frame> {
    await this.runCommand('Parlance: Open Chat');
    return this.chatFrame();
  }

  /** The frames of all visible chats, in no particular order. */
  async chatFrames(): Promise<readonly Frame[]> {
    const frames = await Promise.all(
      this.page.frames().map(async (frame) => ((await isShownPage(frame, '#parlance-chat')) ? [frame] : [])),
    );
    return frames.flat();
  }

  /**
   * The frame of the only visible chat, with its page running. Ask again after anything that hides, reloads, or
   * replaces it.
   */
  async chatFrame(limitMs = 60_000): Promise<Frame> {
    return waitUntil(
      'exactly one chat in view',
      async () => {
        const [first, ...others] = await this.chatFrames();
        return others.length === 0 ? first : undefined;
      },
      limitMs,
    );
  }

  /**
   * Changes user settings; `undefined` removes one. Through VS Code, because this host doesn't notice when someone else
   * writes the file.
   */
  async changeSettings(changes: Readonly<Record<string, unknown>>): Promise<void> {
    await this.driver.changeSettings(changes);
  }

  async setTheme(theme: Theme): Promise<void> {
    const { setting, bodyClass } = themes[theme];
    await this.changeSettings({ 'workbench.colorTheme': setting });
    await this.page.locator(`.monaco-workbench.${bodyClass}`).waitFor({ timeout: 60_000 });
  }

  /** Sets the size of the window, in CSS pixels. */
  async resizeTo(width: number, height = 800): Promise<void> {
    await this.page.setViewportSize({ width, height });
  }

  /** Drags the border of the secondary side bar, as far as VS Code lets it, until it's about `width` pixels wide. */
  async setSideBarWidth(width: number): Promise<void> {
    const bar = this.page.locator('.part.auxiliarybar');
    await bar.waitFor({ timeout: 60_000 });
    const box = await bar.boundingBox();
    if (!box) throw new Error('The secondary side bar is not shown');
    const sashes = await this.page.locator('.monaco-sash.vertical').all();
    const centers = await Promise.all(
      sashes.map(async (sash) => {
        const { x, width: thickness } = (await sash.boundingBox()) ?? { x: Infinity, width: 0 };
        return x + thickness / 2;
      }),
    );
    const border = centers.toSorted((one, other) => Math.abs(one - box.x) - Math.abs(other - box.x))[0] ?? box.x;
    const middle = box.y + box.height / 2;
    await this.page.mouse.move(border, middle);
    await this.page.mouse.down();
    await this.page.mouse.move(border + box.width - width, middle, { steps: 5 });
    await this.page.mouse.up();
    await waitUntil(`a side bar ${width} px wide`, async () => {
      const now = await bar.boundingBox();
      return now !== null && Math.abs(now.width - width) <= 3;
    });
  }

  /** Kills the extension host like a crash, and resolves when VS Code has started a new one. */
  async killExtensionHost(): Promise<void> {
    const old = this.server.extensionHosts();
    if (old.length === 0) throw new Error('No extension host runs');
    // So that what it said before is known, and only the next one is asked anything.
    const isGone = this.driver.whenGone();
    for (const pid of old) process.kill(pid, 'SIGKILL');
    this.#isHostKilled = true;
    await isGone;
    await waitUntil(
      'a new extension host after the old was killed',
      () => this.server.extensionHosts().some((pid) => !old.includes(pid)),
      workbenchLimitMs,
    );
  }

  /** Visible notifications that contain the text. */
  notification(text: string | RegExp): Locator {
    return this.page.locator('.notification-toast').filter({ hasText: text });
  }

  /** Chats and comparisons in view. */
  async #framesWithNotes(): Promise<readonly Frame[]> {
    const frames = await Promise.all(
      this.page
        .frames()
        .map(async (frame) => ((await isShownPage(frame, '#parlance-chat, #parlance-compare')) ? [frame] : [])),
    );
    return frames.flat();
  }

  /** What Parlance shows the user, wherever that is. */
  told(text: string | RegExp): ToldMessage {
    return new ToldMessage(this.page, () => this.#framesWithNotes(), this.driver, text);
  }

  /** Saves an image of the whole window under `test-results/`. */
  async screenshot(name: string): Promise<void> {
    await this.page.screenshot({ path: `test-results/${name}.png` });
  }

  /**
   * Resolves when all messages between the pages and the extension host have arrived, so that their effects are known.
   * Without a host, only those between the frames.
   * @throws {Error} if they don't arrive in time.
   */
  async settle(): Promise<void> {
    const turns = async (): Promise<true> => {
      // From the host to a page, and from the page to the host; the frames between them have their own tasks.
      for (let turn = 0; turn < 2; turn += 1) {
        await this.driver.settle();
        await Promise.all(this.page.frames().map((frame) => afterItsTasks(frame)));
      }
      await this.driver.settle();
      return true;
    };
    if (await Promise.race([turns(), pause(workbenchLimitMs, false, { ref: false })])) return;
    throw new Error(`The extension host was still busy after ${workbenchLimitMs / 1000} s`);
  }

  /** @returns what went wrong in Parlance since the last call. */
  async takeFaults(): Promise<readonly string[]> {
    const lines = this.consoleLines.slice(this.#readLines).filter((line) => /^(error|pageerror) /.test(line));
    this.#readLines = this.consoleLines.length;
    const failures = this.driver.failures.splice(0).map((failure) => `command ${failure}`);
    const ofHost = this.driver.faults.splice(0).map((fault) => `extension host: ${fault}`);
    const faults = [
      ...lines,
      ...failures,
      ...ofHost,
      ...this.boundaries.takeFaults(),
      ...(await this.#faultLog.take()),
    ];
    const isKill = (fault: string): boolean => this.#isHostKilled && fault.includes('terminated unexpectedly');
    return faults.filter((fault) => isOurFault(fault) && !isKill(fault));
  }

  /** Like `takeFaults`, once all messages between the pages and the extension host have arrived. */
  async takeSettledFaults(): Promise<readonly string[]> {
    // VS Code reports the end of a host before it starts the next one.
    const isNextThere = this.driver.isConnected;
    const busy: string[] = [];
    await this.settle().catch((error: unknown) => busy.push(String(error)));
    const faults = [...busy, ...(await this.takeFaults())];
    if (isNextThere) this.#isHostKilled = false;
    return faults;
  }

  async keepEvidence(name: string): Promise<string> {
    const evidence: Evidence = { server: this.server, page: this.page, consoleLines: this.consoleLines };
    return keepEvidence(name, evidence);
  }
}

/**
 * Whether the frame is a page with a message box that has started, and neither it nor its container is hidden.
 * @param root selects the page's own element
 */
async function isShownPage(frame: Frame, root: string): Promise<boolean> {
  try {
    if ((await frame.locator(root).count()) === 0) return false;
    for (let inner: Frame | null = frame; inner?.parentFrame(); inner = inner.parentFrame()) {
      const element = await inner.frameElement();
      if (!(await element.isVisible())) return false;
    }
    return (await frame.getByRole('textbox', { name: 'Message', exact: true }).count()) > 0;
  } catch {
    // It has disappeared.
    return false;
  }
}
