import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ModelInfo } from '../../src/api/wire/decodeModels.ts';
import { AllMarks } from '../../src/core/models/allMarks.ts';
import { ModelCatalog } from '../../src/core/models/modelCatalog.ts';
import { ModelCatalogs } from '../../src/core/models/modelCatalogs.ts';
import { registerAttachments } from '../../src/vscode/attachments/registerAttachments.ts';
import type { PageFact } from '../../src/vscode/chat/pageChannel.ts';
import { PageAttachments } from '../../src/vscode/chat/pageAttachments.ts';

interface Wish {
  /** ID of the conversation that the page shows. */
  readonly conversation: string;
  /** Fetches the models. */
  readonly list?: () => Promise<never[]>;
  /** The text editor that the user was in last. */
  readonly editor?: () => vscode.TextEditor | undefined;
  readonly offerChanged?: () => void;
  /** Called when the message box gets the focus. */
  readonly focused?: () => void;
  /** Gets everything that the page gets. */
  readonly posted?: (fact: PageFact) => void;
}

/** Attachments stored in a folder, for a catalog without a stored list. */
export function attachmentsIn(
  folder: string,
  list: () => Promise<ModelInfo[]> = () => Promise.resolve([]),
  editor: Wish['editor'] = () => undefined,
) {
  const catalog = new ModelCatalogs();
  const only = new ModelCatalog({
    id: 'service',
    list,
    // No list is stored, so it would be fetched.
    store: { read: () => Promise.resolve(undefined), write: () => Promise.resolve() },
    service: () => 'a service',
    stated: () => ({}),
    now: () => Date.now(),
  });
  catalog.set(new Map([['service', only]]));
  const fixed = <T>(value: T) => ({ value, onDidChange: new vscode.EventEmitter<T>().event });
  const deps = {
    models: { catalog, marks: new AllMarks() },
    support: {
      lacksImages: () => false,
      hasAcceptedImages: () => false,
      lacking: () => new Set<string>(),
      load: () => Promise.resolve(),
    },
    lastEditor: {
      get value() {
        return editor();
      },
    },
    settings: { maxImageSize: fixed<number | null>(null), promptSurroundingCode: fixed(true) },
    log: { warn: assert.fail },
  };
  const attachments = registerAttachments(vscode.Uri.file(folder), deps, assert.ifError);
  return { attachments, catalog };
}

/** What is attached to the message of a page, with everything below it real except the page. */
export async function attachmentsPage(
  cleanups: (() => unknown)[],
  { conversation, list, editor, offerChanged, focused, posted }: Wish,
) {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-page-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const { attachments, catalog } = attachmentsIn(folder, list, editor);
  const panel = vscode.window.createWebviewPanel('parlance.test', 'Page', vscode.ViewColumn.One);
  const post = (fact: PageFact) => {
    posted?.(fact);
    if (fact.type === 'composerFocused') focused?.();
  };
  const page = new PageAttachments(
    { attachments, onUnexpected: assert.ifError },
    {
      webview: panel.webview,
      channel: { post, postWhenOpen: post },
      shown: { id: conversation, session: undefined, options: { model: 'm' }, isShown: () => false },
      ...(offerChanged && { offerChanged }),
    },
  );
  for (const each of [panel, page]) cleanups.push(() => each.dispose());
  return { attachments, catalog, page };
}
