import * as l10n from '@vscode/l10n';
import { costText, namedCost } from '../../words/amount.ts';
import { endingText } from '../../words/ending.ts';
import { modelLabel, namedModel } from '../../words/modelLabel.ts';
import { parametersText } from '../../words/parameterWords.ts';
import { orderSentence } from '../../words/race.ts';
import { speedText } from '../../words/replySpeed.ts';
import { withFenceClosed } from '../chat/conversationMarkdown.ts';
import { sampleMetrics } from '../experiments/sampleMetrics.ts';
import { textOf } from './continuedConversation.ts';
import type { ComparedReply, ComparedTurn, Comparison } from './comparison.ts';

/** A comparison as a Markdown document: the conversation that it continues, then each question, then each model's reply with its figures. */
export function comparisonMarkdown(comparison: Comparison): string {
  const parts = [`# ${l10n.t('Compare Models')}`];
  for (const { role, content } of comparison.before) {
    parts.push(role === 'user' ? `## ${l10n.t('You')}` : `### ${l10n.t('Reply')}`, withFenceClosed(textOf(content)));
  }
  for (const turn of comparison.turns) {
    parts.push(
      `## ${l10n.t('You')}`,
      withFenceClosed(turn.text),
      turn.attachments.map(({ name }) => `- ${name}`).join('\n'),
      turn.columns.length > 1 ? orderSentence(turn.order) : '',
    );
    for (const reply of repliesTo(turn, comparison)) {
      parts.push(headingOf(reply), withFenceClosed(reply.text), factsOf(reply));
    }
  }
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/**
 * The same for programs. `at` is Unix time, and all times are in milliseconds. Costs are in the currency of the
 * service's prices. `parameters` contains everything that a reply was asked with, shared or its column's own.
 */
export function comparisonJson(comparison: Comparison): string {
  const turns = comparison.turns.map((turn) => ({
    question: turn.text,
    at: turn.at,
    attachments: turn.attachments.map(({ name }) => name),
    order: turn.order,
    isBlind: turn.isBlind,
    replies: repliesTo(turn, comparison).map(({ model, parameters = {}, state, text, reasoning, end, cost }) => ({
      ...namedModel(model),
      parameters,
      state,
      text,
      reasoning,
      ...(end?.finishReason !== undefined && { finishReason: end.finishReason }),
      ...(end?.requestId !== undefined && { requestId: end.requestId }),
      ...(end?.failure !== undefined && { failure: end.failure }),
      ...(end?.sample !== undefined && { sample: end.sample }),
      ...(cost !== undefined && { cost }),
    })),
  }));
  const before = comparison.before.map(({ role, content }) => ({
    role,
    text: textOf(content),
    ...(Array.isArray(content) && { images: content.filter(({ type }) => type === 'image_url').length }),
  }));
  return `${JSON.stringify({ version: 1, id: comparison.id, before, turns }, undefined, 2)}\n`;
}

/** In column order. Replies of closed columns come last. */
function repliesTo({ id }: ComparedTurn, { columns, replies }: Comparison): readonly ComparedReply[] {
  const place = (columnId: string) => {
    const at = columns.findIndex((column) => column.id === columnId);
    return at === -1 ? columns.length : at;
  };
  return replies.filter(({ turnId }) => turnId === id).toSorted((a, b) => place(a.columnId) - place(b.columnId));
}

/** Includes the column's own parameters. */
function headingOf({ model, options = {} }: ComparedReply): string {
  const own = parametersText(options);
  const name = modelLabel(model);
  return own === '' ? `### ${name}` : `### ${name} (${own})`;
}

function factsOf({ end, cost, state }: ComparedReply): string {
  const { sample, finishReason } = end ?? {};
  const facts = [
    sample === undefined ? '' : speedText(sampleMetrics(sample)),
    cost === undefined ? '' : namedCost(costText(cost, { isEstimate: sample?.isEstimate === true })),
    endingText({ state: state === 'queued' ? 'running' : state, finishReason }) ?? '',
  ].filter((fact) => fact !== '');
  return facts.length === 0 ? '' : `*${facts.join(' · ')}*`;
}
