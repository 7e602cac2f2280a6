import { type MediaKind, mediaKinds } from '../../shared/media.ts';
import * as vscode from 'vscode';
import { markdownText } from '../../core/safety/markdownText.ts';
import { kindText } from '../../core/models/kindText.ts';
import { type MeasuredFigures, speedOf } from '../../core/models/measuredModel.ts';
import type { ModelKind } from '../../core/models/modelAbilities.ts';
import { modelFacts } from '../../core/models/modelFacts.ts';
import { descriptionOf, modelFields } from '../../core/models/modelFields.ts';
import { isFiltered, type ModelGroup, type ModelGroups, type ModelListView } from '../../core/models/modelGroups.ts';
import type { IndexedModel } from '../../core/models/modelIndex.ts';
import type { RankedModel } from '../../core/experiments/modelRanking.ts';
import { inline } from '../../words/inline.ts';
import { commandIds } from '../settings/contributions.ts';
import { providerLabel } from '../../core/models/groupLabel.ts';
import { marksExplained } from '../../words/figureMark.ts';
import { recentText } from '../../words/moment.ts';
import { rankText, winsText } from '../../words/ranking.ts';
import { rateText, timeText } from '../../words/replySpeed.ts';
import { modelLabel, shortModelLabel } from '../../words/modelLabel.ts';
import { numberText } from '../../words/numberText.ts';

/** What rows depend on besides the model. */
export interface ModelItemContext {
  readonly isFavorite: (id: string) => boolean;
  readonly isHidden: (id: string) => boolean;
  /** The default model. */
  readonly defaultModel: string | undefined;
  readonly figures: (id: string) => MeasuredFigures | undefined;
  /** The result of blind votes. */
  readonly votes: (id: string) => RankedModel | undefined;
  readonly view: Pick<ModelListView, 'sort'>;
}

/** Longer than any row, but short enough for thousands of them. */
const longestName = 256;
/** This many rows are easy to scan. */
const glance = 25;
/** Up to this many hits of a filter are expanded. */
const openedHits = 200;

const icons: Readonly<Record<ModelKind, string>> = {
  chat: 'comment',
  multimodal: 'eye',
  image: 'file-media',
  video: 'device-camera-video',
  audio: 'unmute',
  unknown: 'circle-outline',
};

export function groupItem(group: ModelGroup, view: ModelListView, { groups, shown }: ModelGroups): vscode.TreeItem {
  const count = group.models.length;
  const isOpen =
    group.kind !== 'provider' ||
    shown <= glance ||
    groups.every((other) => other.kind !== 'provider' || placeOf(other) === placeOf(group)) ||
    (isFiltered(view) && shown <= openedHits);
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  // Below its service, its provider is enough.
  const label = providerLabel(group);
  const item = new vscode.TreeItem(label, isOpen ? Expanded : Collapsed);
  // VS Code remembers the expanded state by ID, and a filter's hits have a separate one.
  item.id = `${placeOf(group)}${isFiltered(view) ? ':hits' : ''}`;
  item.description = numberText(count);
  item.contextValue = 'modelGroup';
  item.accessibilityInformation = {
    label:
      count === 1 ? vscode.l10n.t('{0}, 1 model', label) : vscode.l10n.t('{0}, {1} models', label, numberText(count)),
  };
  return item;
}

/** Distinguishes a group from all others. */
function placeOf({ kind, service, provider }: ModelGroup): string {
  return service === undefined ? `${kind}:${provider}` : `${kind}:${service}:${provider}`;
}

export function modelItem(entry: IndexedModel, group: ModelGroup, context: ModelItemContext): vscode.TreeItem {
  const { model, kind, provider, name } = entry;
  const { id } = model;
  // Below its provider a model only needs its own name.
  const isOwnGroup = group.kind === 'provider' || group.isOfService === true;
  const isShort = isOwnGroup && provider !== '' && name.startsWith(`${provider}/`);
  // A misleading name shows what's in it.
  const item = new vscode.TreeItem(
    inline(isShort ? name.slice(provider.length + 1) : isOwnGroup ? name : shortModelLabel(id), longestName),
  );
  const states = statesOf(entry, context);
  const { rank } = context.votes(id) ?? {};
  const facts = [
    modelFacts(model, speedOf(context.figures(id)), context.view.sort),
    rank === undefined ? '' : vscode.l10n.t('rank {0}', rankText(rank)),
  ]
    .filter((fact) => fact !== '')
    .join(' · ');
  // The speed comes first, because the end of a row can be cut off.
  const description = [...(facts === '' ? [] : [facts]), ...states].join(' · ');
  item.id = `${placeOf(group)}/${id}`;
  item.description = description;
  item.iconPath = new vscode.ThemeIcon(
    context.defaultModel === id ? 'check' : context.isHidden(id) ? 'eye-closed' : icons[kind],
  );
  item.contextValue = contextValueOf(entry, context);
  item.accessibilityInformation = { label: spokenLabel(entry, states, facts, context) };
  item.command = { command: commandIds.showModel, title: vscode.l10n.t('Show Details'), arguments: [{ id }] };
  return item;
}

/** What a user should know about a model before its figures, in words. */
function statesOf({ model, isListed }: IndexedModel, context: ModelItemContext): readonly string[] {
  return [
    ...(context.defaultModel === model.id ? [vscode.l10n.t('default')] : []),
    ...(context.isHidden(model.id) ? [vscode.l10n.t('hidden')] : []),
    ...(isListed ? [] : [vscode.l10n.t('not in the list')]),
  ];
}

const makerValues: Readonly<Record<MediaKind, string>> = { video: 'makesVideo', image: 'makesImage' };

/** The context values that the manifest's menus check. */
function contextValueOf({ model, abilities }: IndexedModel, context: ModelItemContext): string {
  return [
    'model',
    ...(abilities.has('chat') ? ['chats'] : []),
    ...mediaKinds.filter((kind) => abilities.has(kind)).map((kind) => makerValues[kind]),
    context.isFavorite(model.id) ? 'favorite' : 'notFavorite',
    context.isHidden(model.id) ? 'hidden' : 'notHidden',
    ...(context.defaultModel === model.id ? ['default'] : ['notDefault']),
  ].join(' ');
}

function spokenLabel(
  { model, kind }: IndexedModel,
  states: readonly string[],
  facts: string,
  context: ModelItemContext,
): string {
  const favorite = context.isFavorite(model.id) ? [vscode.l10n.t('favorite')] : [];
  const kindWords = kindText(kind, model.kind);
  return [
    modelLabel(model.id),
    ...(kindWords === undefined ? [] : [kindWords]),
    ...favorite,
    ...states,
    ...(facts === '' ? [] : [facts]),
  ].join(', ');
}

/** Everything known, as inert Markdown, because the model list's text is untrusted. */
export function modelTooltip(entry: IndexedModel, context: ModelItemContext): vscode.MarkdownString {
  const { model } = entry;
  const text = new vscode.MarkdownString();
  text.isTrusted = false;
  text.supportHtml = false;
  const lines = [`**${markdownText(modelLabel(model.id))}**`];
  const description = descriptionOf(model);
  if (description !== '') lines.push(markdownText(description, 400));
  const favorite = context.isFavorite(model.id) ? [vscode.l10n.t('favorite')] : [];
  const states = [...favorite, ...statesOf(entry, context)].join(' · ');
  if (states !== '') lines.push(`_${markdownText(states)}_`);
  const fields = modelFields(model).map(({ label, value }) => `- ${markdownText(label)}: ${markdownText(value)}`);
  const measured = context.figures(model.id);
  const figures = measured === undefined ? [] : measuredLines(measured).map((line) => `- ${markdownText(line)}`);
  if (fields.length > 0) lines.push(fields.join('\n'));
  if (figures.length > 0) lines.push(`${markdownText(vscode.l10n.t('Measured here'))}:\n\n${figures.join('\n')}`);
  const votes = context.votes(model.id);
  if (votes !== undefined) lines.push(markdownText(votesLine(votes)));
  return text.appendMarkdown(lines.join('\n\n'));
}

/** `Blind votes: 28 of 41 won, rank 1–2`. */
function votesLine({ wins, duels, rank }: RankedModel): string {
  const won = winsText(wins, duels);
  return rank === undefined
    ? vscode.l10n.t('Blind votes: {0}, not enough votes to tell', won)
    : vscode.l10n.t('Blind votes: {0}, rank {1}', won, rankText(rank));
}

function measuredLines(figures: MeasuredFigures): readonly string[] {
  const { requestCount, failureCount, timeToFirstTokenSeconds: first, tokensPerSecond: rate, latest } = figures;
  const latestAt = latest.at(-1)?.at;
  const lines = [
    failureCount === 0
      ? vscode.l10n.t('Requests: {0}, none failed', numberText(requestCount))
      : vscode.l10n.t('Requests: {0}, failed: {1}', numberText(requestCount), numberText(failureCount)),
    ...(first === undefined
      ? []
      : [
          vscode.l10n.t(
            'Time to first token: median {0}, 95% within {1}',
            timeText({ value: first.p50, from: first.from }),
            timeText({ value: first.p95, from: first.from }),
          ),
        ]),
    ...(rate === undefined
      ? []
      : [
          vscode.l10n.t(
            'Speed: median {0}, 95% at least {1}',
            rateText({ value: rate.p50, from: rate.from }),
            rateText({ value: rate.p95, from: rate.from }),
          ),
        ]),
    ...(latestAt === undefined ? [] : [vscode.l10n.t('Latest reply: {0}', recentText(latestAt, Date.now()))]),
  ];
  return [...lines, ...marksExplained(...lines)];
}
