import type { Locator } from 'playwright-core';

/** What a browser does for Ctrl+V with an image on the clipboard, which a test can't put there. */
export async function pasteImage(box: Locator, bytes: Buffer, name: string): Promise<void> {
  await box.evaluate(
    (target, { base64, fileName }) => {
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([content], fileName, { type: 'image/png' }));
      target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    { base64: bytes.toString('base64'), fileName: name },
  );
}

/** What a browser does for a text file from the user's desktop, which doesn't exist here. */
export async function dropText(box: Locator, name: string, text: string): Promise<void> {
  await box.evaluate(
    (target, file) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([file.text], file.name, { type: 'text/plain' }));
      // Nothing may be dragged over the page before this: VS Code would then block the mouse until that drag ends.
      target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    { name, text },
  );
}
