import { type MediaKind, mediaKinds } from '../../shared/media.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { pathOf } from '../attachments/sources/documentContext.ts';
import { ApiError } from '../../api/apiError.ts';
import { type ChatRequest, chatCompletion } from '../../api/operations/chatCompletion.ts';
import { chatBody } from '../../core/chat/chatRequest.ts';
import { incompleteSentence } from '../../words/ending.ts';
import { markdownText } from '../../core/safety/markdownText.ts';
import { ReplyClock } from '../../core/chat/replyMetrics.ts';
import { mediaModel } from '../agentTools/mediaModel.ts';
import type { AgentToolsDeps } from '../agentTools/registerAgentTools.ts';
import { commandIds } from '../settings/contributions.ts';
import type { ServiceLack } from '../service/serviceSupport.ts';
import { abortOf } from '../platform/abortOf.ts';
import type { Log } from '../platform/log.ts';
import type { ModelConnection } from '../languageModel/modelConnection.ts';
import type { Settings } from '../settings/settings.ts';
import { handOut } from './handOut.ts';
import { answeringWindow, ownModelOf } from './answeringModel.ts';
import { aboutCodeAbove, turnMessages, type Turn, type TurnResult } from './participantTurn.ts';
import { isAttached, readReference } from './readReference.ts';
import { setupButton } from './setupButton.ts';
import type { InputPicture } from '../media/makeMedia.ts';
import { speedText } from '../../words/replySpeed.ts';
import { modelLabel } from '../../words/modelLabel.ts';

/** Maximum length of our own text and the service's, in characters. */
const longestError = 2000;

export interface ParticipantDeps extends AgentToolsDeps {
  readonly settings: Pick<Settings, 'chatDefaults' | 'promptSurroundingCode'>;
  readonly log: Pick<Log, 'error'>;
  /** The service of one of our models that was selected in VS Code's chat. */
  readonly connectionOf: (model: vscode.LanguageModelChat) => Promise<ModelConnection | undefined>;
}

/** `@parlance` in VS Code's own chat. */
export function registerParticipant(deps: ParticipantDeps): {
  readonly handler: vscode.ChatRequestHandler;
  readonly followups: (result: vscode.ChatResult) => vscode.ChatFollowup[];
} {
  const service = deps.service.from({ kind: 'languageModel' });
  const { settings, explainer, models } = deps;
  const makers: Readonly<Record<MediaKind, typeof video>> = { video, image };
  const handler: vscode.ChatRequestHandler = async (request, context, stream, token): Promise<TurnResult> => {
    using abort = abortOf(token);
    let metadata: NonNullable<TurnResult['metadata']> =
      request.command === undefined ? {} : { command: request.command };
    const model = ownModelOf(request) ?? settings.chatDefaults().model;
    let asked: Pick<ModelConnection, 'callsFor' | 'explainer'> = {
      callsFor: (ref) => service.forModel(ref),
      explainer,
    };
    try {
      const kind = mediaKinds.find((each) => each === request.command);
      if (kind !== undefined) await makers[kind](request, stream, abort.signal);
      else {
        const connection = await connectionOf(request);
        asked = connection ?? asked;
        // A service that was added in VS Code's own list is none of these.
        const isOwn = connection === undefined || connection.mark === '';
        const lack = isOwn ? await deps.support.lackOf('chat', model) : undefined;
        if (lack !== undefined) return { metadata, ...unserved(lack, ownModelOf(request) !== undefined, stream) };
        const contextWindow = await answeringWindow(request, model, models.catalog);
        const onError = (error: unknown) => deps.log.error('Surrounding code', error);
        const includesAround = settings.promptSurroundingCode.value;
        const turn = await turnMessages(request, context, includesAround, { contextWindow, onError });
        if (turn.code.length > 0) metadata = { ...metadata, code: turn.code };
        const details = await reply(asked, turn, stream, model, abort.signal);
        connection?.answered();
        return { metadata, details };
      }
      return { metadata };
    } catch (error) {
      if (abort.signal.aborted) return { metadata };
      if (error instanceof ApiError && error.failure.kind === 'setup') {
        const button = setupButton(asked.explainer.problemOfError(error, model === undefined ? {} : { model }));
        if (button !== undefined) stream.button(button);
      }
      const { message } = asked.explainer.toldError(error, model);
      return { metadata, errorDetails: { message: markdownText(message, longestError) } };
    }
  };
  return { handler, followups };

  /** @returns the speed of the reply, in words. */
  async function reply(
    { callsFor }: Pick<ModelConnection, 'callsFor'>,
    turn: Turn,
    stream: vscode.ChatResponseStream,
    model: ModelRef | undefined,
    signal: AbortSignal,
  ): Promise<string> {
    if (model === undefined) throw new ApiError({ kind: 'setup', missing: 'model' });
    const { messages, about, unreadable, secret, cut, lacksCode } = turn;
    const notes = [
      unreadable.length > 0 && vscode.l10n.t("Not sent because it isn't text or an image: {0}", listed(unreadable)),
      secret.length > 0 && vscode.l10n.t('Not sent because it might contain passwords or keys: {0}', listed(secret)),
      cut.length > 0 && vscode.l10n.t("Only the beginning was sent because it's very long: {0}", listed(cut)),
    ];
    for (const note of notes) if (note !== false) stream.markdown(`*${note}*\n\n`);
    if (lacksCode) {
      stream.markdown(vscode.l10n.t('Select some code or attach a file, then ask again.'));
      return '';
    }
    for (const location of about) stream.reference(location);
    const body: ChatRequest = chatBody(model, { ...settings.chatDefaults(), stream: true }, messages);
    stream.progress(vscode.l10n.t('Asking {0}…', markdownText(modelLabel(model))));
    let reason: string | undefined;
    let isComplete = true;
    const clock = new ReplyClock(performance.now());
    const events = callsFor(model).stream(chatCompletion(body), { signal });
    for await (const event of events) {
      clock.heard(event, performance.now());
      if (event.type === 'text') stream.markdown(event.text);
      if (event.type === 'finish') ({ reason } = event);
      if (event.type === 'end') isComplete = event.complete;
    }
    if (!isComplete) stream.markdown(`\n\n*${markdownText(incompleteSentence(reason))}*`);
    return speedText(clock.metrics(performance.now(), true));
  }

  /** Undefined for the user's own service. A model that was selected at one service is never used at another. */
  async function connectionOf(request: vscode.ChatRequest): Promise<ModelConnection | undefined> {
    if (ownModelOf(request) === undefined) return undefined;
    const connection = await deps.connectionOf(request.model);
    if (connection === undefined)
      throw new Error(vscode.l10n.t("Select the model again. Its service isn't set up in this window."));
    return connection;
  }

  async function video(
    request: vscode.ChatRequest,
    stream: vscode.ChatResponseStream,
    signal: AbortSignal,
  ): Promise<void> {
    if (isBlank(request.prompt, stream)) return;
    const { picture, unused } = await startingPicture(request.references);
    tellUnused(unused, stream);
    const model = await mediaModel('video', undefined, deps, signal);
    stream.progress(
      vscode.l10n.t('Generating a video with {0}. This might take minutes…', markdownText(modelLabel(model.id))),
    );
    const media = await deps.media();
    const start = picture === undefined ? {} : { image: await media.keepPicture(picture) };
    const made = await media.make({ kind: 'video', model: model.id, prompt: request.prompt, ...start }, signal);
    handOut(made, vscode.l10n.t('Open Video'), model.id, stream);
  }

  async function image(
    request: vscode.ChatRequest,
    stream: vscode.ChatResponseStream,
    signal: AbortSignal,
  ): Promise<void> {
    if (isBlank(request.prompt, stream)) return;
    tellUnused(request.references.filter(isAttached).map(attachedName), stream);
    const model = await mediaModel('image', undefined, deps, signal);
    stream.progress(vscode.l10n.t('Generating an image with {0}…', markdownText(modelLabel(model.id))));
    const media = await deps.media();
    const made = await media.make({ kind: 'image', model: model.id, prompt: request.prompt }, signal);
    handOut(made, vscode.l10n.t('Open Image'), model.id, stream);
  }
}

/** Nothing is sent. VS Code's chat has no place to say this before a question. */
function unserved(
  { service, title, reason, offers }: ServiceLack,
  isSelectedThere: boolean,
  stream: vscode.ChatResponseStream,
): Pick<TurnResult, 'errorDetails'> {
  // Parlance's default model has no effect on a model that was selected in VS Code's own list.
  const useful = isSelectedThere ? [] : offers;
  for (const { service: other, label } of useful) {
    stream.button({ command: commandIds.switchService, title: label, arguments: [{ service: other }] });
  }
  const about = { arguments: [{ service }] };
  stream.button({ command: commandIds.showService, title: vscode.l10n.t('Show Service'), ...about });
  stream.button({ command: commandIds.testConnection, title: vscode.l10n.t('Test Connection'), ...about });
  const next = isSelectedThere ? vscode.l10n.t("Select another model in the chat's model list.") : '';
  const parts = [title, reason, next].filter((text) => text !== '');
  return { errorDetails: { message: parts.map((text) => markdownText(text, longestError)).join('\n\n') } };
}

function isBlank(prompt: string, stream: vscode.ChatResponseStream): boolean {
  if (prompt.trim() !== '') return false;
  stream.markdown(vscode.l10n.t('Describe what to generate, then ask again.'));
  return true;
}

function listed(names: readonly string[]): string {
  return names.map((name) => markdownText(name)).join(', ');
}

function tellUnused(names: readonly string[], stream: vscode.ChatResponseStream): void {
  if (names.length > 0) stream.markdown(`*${vscode.l10n.t('Not used: {0}', listed(names))}*\n\n`);
}

function followups({ metadata, errorDetails }: TurnResult): vscode.ChatFollowup[] {
  if (errorDetails !== undefined) return [];
  switch (metadata?.command) {
    case 'explain':
      return [
        { prompt: aboutCodeAbove(), command: 'tests', label: vscode.l10n.t('Write tests for it') },
        { prompt: vscode.l10n.t('Shorter, please'), label: vscode.l10n.t('Explain it more briefly') },
      ];
    case 'fix':
      return [
        { prompt: aboutCodeAbove(), command: 'tests', label: vscode.l10n.t('Write tests for it') },
        { prompt: vscode.l10n.t('Explain the fix step by step'), label: vscode.l10n.t('Explain the fix') },
      ];
    case 'tests':
      return [{ prompt: vscode.l10n.t('Which cases are still missing?'), label: vscode.l10n.t('Find missing cases') }];
    default:
      return [];
  }
}

/** The image that a video starts from: the first one attached. */
async function startingPicture(references: readonly vscode.ChatPromptReference[]): Promise<{
  readonly picture?: InputPicture;
  /** Names of the other attachments. */
  readonly unused: readonly string[];
}> {
  let picture: InputPicture | undefined;
  const unused: string[] = [];
  for (const reference of references.filter(isAttached)) {
    // A file that might contain secrets can't be a start image, so nobody is asked.
    const read = picture === undefined ? await readReference(reference, () => Promise.resolve(false)) : undefined;
    if (read?.kind === 'picture') ({ picture } = read);
    else unused.push(attachedName(reference));
  }
  return { unused, ...(picture !== undefined && { picture }) };
}

function attachedName({ id, value, modelDescription }: vscode.ChatPromptReference): string {
  const uri = value instanceof vscode.Location ? value.uri : value;
  return uri instanceof vscode.Uri ? pathOf(uri) : (modelDescription ?? id);
}
