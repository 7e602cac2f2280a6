import * as vscode from 'vscode';
import { commandsOf, panelTypes, viewIds } from '../settings/contributions.ts';
import { DisposableList } from '../platform/disposables.ts';
import { lazy } from '../platform/lazy.ts';
import type { FlushedAtEnd, Offering } from '../platform/offering.ts';
import type { Media, MediaDeps } from './registerMedia.ts';

type MediaServices = MediaDeps & FlushedAtEnd;

/** The gallery, the forms for videos and images, and transcripts. */
export function offerMedia({
  commands,
  services,
}: Offering<MediaServices>): vscode.Disposable & { readonly media: () => Promise<Media> } {
  const own = new DisposableList();
  const media = lazy(async () => {
    const [{ registerMedia }, shared] = await Promise.all([import('./registerMedia.ts'), services()]);
    const opened = own.add(registerMedia(shared));
    shared.atEnd(opened.flush);
    return opened;
  });
  own.add(
    vscode.window.registerWebviewViewProvider(viewIds.media, {
      resolveWebviewView: async (view, context, token) => (await media()).view.resolveWebviewView(view, context, token),
    }),
  );
  own.add(
    vscode.window.registerWebviewPanelSerializer(panelTypes.mediaStudio, {
      deserializeWebviewPanel: async (panel, state) => (await media()).studio.deserializeWebviewPanel(panel, state),
    }),
  );
  commands.take(Object.values(commandsOf.media), media);
  return { media, dispose: () => own.dispose() };
}
