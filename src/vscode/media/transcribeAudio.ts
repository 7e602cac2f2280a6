import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import { mayHaveBeenMade } from '../../api/calls/mayHaveBeenMade.ts';
import type { InferenceCalls } from '../../core/requests/inferenceCalls.ts';
import type { Transcription } from '../../api/operations/audioTranscription.ts';
import { mayBeCharged } from '../../core/problems/problemDraft.ts';
import { type SubtitleFormat, subtitles } from '../../core/media/subtitles.ts';
import { saveTo } from '../disk/uriFile.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { Notifier } from '../platform/notify.ts';
import type { Problem } from '../../shared/problem.ts';
import { maySend } from '../attachments/secretFile.ts';
import { audioInputEndings, inputTypeOf } from './mediaEndings.ts';
import { emptyFileText, largeFileText, unreadFileText, unsavedSubtitlesText } from '../../core/problems/fileTexts.ts';
import { openModelText, showModelFile } from '../platform/documents/openModelText.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { bytesText } from '../../words/bytes.ts';
import { elapsedText } from '../../words/duration.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { numberText } from '../../words/numberText.ts';

/** In bytes. Held in memory, and more than services accept. */
const limitBytes = 512 * 1024 * 1024;

export interface TranscribeDeps {
  readonly serviceFor: (model: ModelRef) => Pick<InferenceCalls, 'ask'>;
  readonly explainer: Pick<Explainer, 'problemOfError' | 'context'>;
  readonly notifier: Pick<Notifier, 'info' | 'error' | 'problem'>;
  readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
  /** The model to start with: the last one, or another if its service can't do this. Undefined if the user cancels. */
  readonly startWith: (before: ModelRef) => Promise<ModelRef | undefined>;
  readonly pickModel: (current: string) => Promise<string | undefined>;
  readonly checkSetup: (model: ModelRef | undefined) => Promise<unknown>;
  readonly hasSeveralServices: () => boolean;
  /** Whether to ask for timestamps, which some services only send on request. */
  readonly asksForTimes: () => boolean;
}

const modelKey = 'parlance.transcription.model';

interface Recording {
  readonly uri: vscode.Uri;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/**
 * Sends audio files one after the other, and opens the transcript of each as a document. Offers subtitles if it has
 * timestamps.
 *
 * @param given without any, the user selects one
 */
export async function transcribeAudio(given: readonly vscode.Uri[], deps: TranscribeDeps): Promise<void> {
  const { explainer, notifier, memory } = deps;
  const before = await deps.startWith(memory.get<string>(modelKey) ?? '');
  if (before === undefined) return;
  const recordings: Recording[] = [];
  for (const uri of given.length > 0 ? given : await chooseFile()) {
    const name = uri.path.split('/').at(-1) ?? '';
    const size = (await maySend(uri)) ? await sizeOf(uri, name, notifier) : undefined;
    if (size !== undefined) recordings.push({ uri, name, size });
  }
  if (recordings.length === 0) return;
  const isReady = async (asked: ModelRef | undefined): Promise<boolean> => {
    try {
      await deps.checkSetup(asked);
      return true;
    } catch (error) {
      // The user selects another model next.
      if (asked === before && isOfRemovedService(error)) return true;
      notifier.problem(explainer.problemOfError(error, { during: 'command', ...(asked && { model: asked }) }));
      return false;
    }
  };
  // Checked before the user selects a model in vain, but any of several services might be set up.
  const isEarly = !deps.hasSeveralServices();
  if (isEarly && !(await isReady(before === '' ? undefined : before))) return;
  const model = await deps.pickModel(before);
  if (model === undefined) return;
  const isChecked = isEarly && refParts(model).service === refParts(before).service;
  if (!isChecked && !(await isReady(model))) return;
  await memory.update(modelKey, model);
  for (const recording of recordings) if (!(await transcribe(recording, model, deps))) return;
}

/** Never rejects. @returns whether to go on with the next one: not if the user stopped it */
async function transcribe({ uri, name, size }: Recording, model: ModelRef, deps: TranscribeDeps): Promise<boolean> {
  const { serviceFor, explainer, notifier } = deps;
  const progress: vscode.ProgressOptions = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Transcribing {0}', name),
    cancellable: true,
  };
  const charged = () => mayBeCharged(explainer.context({ during: 'command', model }));
  const abort = new AbortController();
  let transcript: Transcription | undefined;
  const start = userPlace();
  try {
    transcript = await plainWindow.withProgress(progress, async (report, token) => {
      const startedAt = Date.now();
      const tell = (): void => {
        const elapsed = elapsedText((Date.now() - startedAt) / 1000);
        const message = vscode.l10n.t('{0} to {1}, {2}', bytesText(size), modelLabel(model), elapsed);
        report.report({ message: message });
      };
      const ticker = setInterval(tell, 1000);
      token.onCancellationRequested(() => abort.abort());
      try {
        tell();
        const bytes = await bytesOf(uri, name, notifier);
        if (bytes === undefined || abort.signal.aborted) return undefined;
        const mediaType = inputTypeOf(name) ?? 'application/octet-stream';
        const { audioTranscription } = await import('../../api/operations/audioTranscription.ts');
        return await serviceFor(model).ask(
          audioTranscription({
            model: refParts(model).model,
            file: { name, mediaType, bytes },
            ...(deps.asksForTimes() && { response_format: 'verbose_json' }),
          }),
          { signal: abort.signal },
        );
      } catch (error) {
        if (!abort.signal.aborted) throw error;
        notifier.info(
          charged() === undefined
            ? vscode.l10n.t('Stopped')
            : vscode.l10n.t('Stopped. You might still be charged for this request.'),
        );
        return undefined;
      } finally {
        clearInterval(ticker);
      }
    });
  } catch (error) {
    const problem = explainer.problemOfError(error, { during: 'command', model, isUpload: true });
    notifier.problem(withBill(withoutModel(problem), error, charged()));
    return true;
  }
  if (transcript === undefined) return !abort.signal.aborted;
  if (transcript.text.trim() === '') {
    notifier.info(vscode.l10n.t('No speech was found in {0}.', name));
    return true;
  }
  const { text } = transcript;
  const document = await openTranscript(text);
  // By now, the user might be typing elsewhere. VS Code opens the tab of a new untitled document in the background.
  if (userPlace() === start) await vscode.window.showTextDocument(document, { preview: false, preserveFocus: true });
  const show = async () => {
    await vscode.window.showTextDocument(document.isClosed ? await openTranscript(text) : document, { preview: false });
  };
  offer(transcript, { uri, name, show }, notifier);
  return true;
}

/** Says that a transcript is open, which the user might not see, and offers subtitles if it has timestamps. */
function offer(
  { segments, requestId }: Transcription,
  { uri: recording, name, show }: Pick<Recording, 'uri' | 'name'> & { readonly show: () => Promise<void> },
  notifier: TranscribeDeps['notifier'],
): void {
  const showing = { label: vscode.l10n.t('Show'), run: show };
  if (segments.length === 0) return notifier.info(vscode.l10n.t('The transcript of {0} is open.', name), [showing]);
  const save = async (format: SubtitleFormat): Promise<void> => {
    const path = recording.path.replace(/\.[^./]*$/, '');
    const target = await vscode.window.showSaveDialog({
      title: vscode.l10n.t('Save Subtitles'),
      filters: { [format.toUpperCase()]: [format] },
      defaultUri: recording.with({ path: `${path}.${format}` }),
    });
    if (target === undefined) return;
    const text = subtitles(segments, format);
    try {
      await saveTo(target, text);
      await showModelFile(target);
    } catch (error) {
      notifier.error(unsavedSubtitlesText(error));
      await vscode.window.showTextDocument(await openModelText(text, 'plaintext'), { preview: false });
    }
  };
  const words =
    segments.length === 1
      ? vscode.l10n.t('The transcript has 1 timed segment. Save it as a subtitle?')
      : vscode.l10n.t('The transcript has {0} timed segments. Save them as subtitles?', numberText(segments.length));
  notifier.info(requestId === undefined ? words : `${words} (${requestId})`, [
    showing,
    { label: vscode.l10n.t('Save as .srt…'), run: () => save('srt') },
    { label: vscode.l10n.t('Save as .vtt…'), run: () => save('vtt') },
  ]);
}

/** Undefined, after telling the user, if there's nothing to send. */
async function sizeOf(
  uri: vscode.Uri,
  name: string,
  notifier: TranscribeDeps['notifier'],
): Promise<number | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > 0 && size <= limitBytes) return size;
    notifier.error(size === 0 ? emptyFileText(name) : largeFileText(name, limitBytes, 'split'));
  } catch (error) {
    notifier.error(unreadFileText(name, error));
  }
  return undefined;
}

async function bytesOf(
  uri: vscode.Uri,
  name: string,
  notifier: TranscribeDeps['notifier'],
): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    notifier.error(unreadFileText(name, error));
    return undefined;
  }
}

/** Markdown wraps lines, plain text doesn't, and a transcript can be one long line. */
function openTranscript(text: string): Promise<vscode.TextDocument> {
  return openModelText(text, 'markdown');
}

/** Changes when the user types in an editor or shows another one. VS Code might make new objects for the same tabs. */
function userPlace(): string {
  const editor = vscode.window.activeTextEditor;
  const { viewColumn, activeTab } = vscode.window.tabGroups.activeTabGroup;
  return JSON.stringify([viewColumn, activeTab?.label, editor?.document.uri, editor?.selection]);
}

async function chooseFile(): Promise<readonly vscode.Uri[]> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return (
    (await plainWindow.showOpenDialog({
      title: vscode.l10n.t('Select an Audio File'),
      filters: { [vscode.l10n.t('Audio files')]: [...audioInputEndings], [vscode.l10n.t('All files')]: ['*'] },
      ...(folder !== undefined && { defaultUri: folder }),
    })) ?? []
  );
}

/** A response that was lost might have been charged. Most problems say so themselves. */
function withBill(problem: Problem, error: unknown, charged: string | undefined): Problem {
  if (
    charged === undefined ||
    !(error instanceof ApiError) ||
    !mayHaveBeenMade(error.failure) ||
    problem.detail.includes(charged)
  )
    return problem;
  return { ...problem, detail: `${problem.detail} ${charged}` };
}

function isOfRemovedService(error: unknown): boolean {
  return error instanceof ApiError && error.failure.kind === 'setup' && error.failure.missing === 'service';
}

/** The chat's model is irrelevant here. */
function withoutModel(problem: Problem): Problem {
  return { ...problem, actions: problem.actions.filter(({ kind }) => kind !== 'selectModel') };
}
