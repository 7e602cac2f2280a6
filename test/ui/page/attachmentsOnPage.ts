import type { Locator, Page } from 'playwright-core';
import type { Attachment } from '../../../src/shared/attachment.ts';
import { nextOf, send } from './chatBrowser.ts';
import { noAttachments } from './pageStates.ts';

export const box = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true });
export const chips = (page: Page): Locator => page.locator('.composer .chip');

export async function paste(page: Page, bytes: Buffer, type: string, text?: string, name = 'shot.png'): Promise<void> {
  await box(page).evaluate(
    (target, { base64, mediaType, words, fileName }) => {
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([content], fileName, { type: mediaType }));
      if (words !== undefined) clipboardData.setData('text/plain', words);
      target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    { base64: bytes.toString('base64'), mediaType: type, words: text, fileName: name },
  );
}

/** The image that the page sent: its size and its first bytes. */
export function sentPicture(page: Page): Promise<{ width: number; height: number; start: number[]; length: number }> {
  return page.evaluate(() => {
    const message = window.fakeHost.posted.findLast(({ type }) => type === 'addPicture');
    if (message?.type !== 'addPicture') throw new Error('No picture was sent');
    const { width, height, bytes } = message;
    return { width, height, start: [...bytes.slice(0, 4)], length: bytes.length };
  });
}

export function focusedName(page: Page): Promise<string> {
  return page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
  );
}

/** The ID with which the page last asked to add something. */
export async function idOfLast(
  page: Page,
  type: 'addPicture' | 'addText' | 'addDropped' | 'addCompletion',
): Promise<string> {
  const message = await nextOf(page, type);
  return message !== undefined && 'id' in message ? message.id : '';
}

export function fileOf(id: string): Attachment {
  return { kind: 'file', id, name: 'tasks.ts', detail: 'src/tasks.ts', tokens: 80, at: 1 };
}

export function show(page: Page, ...items: readonly Attachment[]): Promise<void> {
  return send(page, { type: 'attachmentsChanged', attachments: { ...noAttachments, items } });
}

/** A drop from outside VS Code. A folder arrives as a file that can't be read. */
export function dropFiles(page: Page, files: readonly { name: string; text?: string }[]): Promise<void> {
  return page.evaluate((dropped) => {
    const dataTransfer = new DataTransfer();
    for (const { name, text } of dropped) {
      const file = new File([text ?? ''], name, { type: 'text/plain' });
      dataTransfer.items.add(file);
    }
    const unreadable = new Set(dropped.filter(({ text }) => text === undefined).map(({ name }) => name));
    Blob.prototype.arrayBuffer = function (this: Blob) {
      const isFolder = this instanceof File && unreadable.has(this.name);
      return isFolder ? Promise.reject(new DOMException('', 'NotFoundError')) : new Response(this).arrayBuffer();
    };
    document
      .querySelector('.chat')
      ?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, files);
}

export function dropUris(page: Page, uris: readonly string[]): Promise<void> {
  return page.evaluate((list) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData('application/vnd.code.uri-list', list);
    document
      .querySelector('.chat')
      ?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, uris.join('\r\n'));
}
