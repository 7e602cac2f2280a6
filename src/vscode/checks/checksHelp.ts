import * as vscode from 'vscode';
import type { ExpectationKind } from '../../core/checks/expectation.ts';
import { chatParameterNames, chatParameters } from '../../shared/chatParameters.ts';
import { parameterHelp } from '../../words/parameterWords.ts';

/** What a field is for, in a sentence; undefined for an unknown name. */
export function fieldHelp(name: string): string | undefined {
  const help: Readonly<Record<string, string>> = {
    prompt: vscode.l10n.t('The prompt file, if its name differs from that of this file.'),
    models: vscode.l10n.t(
      'Model IDs, patterns, for example "<provider>/*", or "favorites". Default: the prompt\'s model.',
    ),
    repeat: vscode.l10n.t('How many times each case is sent to each model. A case passes only if every run does.'),
    judge: vscode.l10n.t('The model that judges llm-rubric.'),
    cases: vscode.l10n.t('What to send, and what to expect.'),
    assert: vscode.l10n.t('What the reply must be like.'),
    name: vscode.l10n.t('What the case tests, in a few words.'),
    selection: vscode.l10n.t("The text that's used as the selection."),
    file: vscode.l10n.t(
      'The file that the prompt is about, relative to this one. Without a selection, all of it is selected.',
    ),
    language: vscode.l10n.t('The language of the selection, for example "typescript".'),
    vars: vscode.l10n.t("Values of the prompt's other variables and inputs."),
    messages: vscode.l10n.t('Complete messages, sent instead of the prompt.'),
    role: vscode.l10n.t('Role of the message: system, user, or assistant.'),
    content: vscode.l10n.t('The text of the message.'),
    threshold: vscode.l10n.t(
      'The share of points needed to pass, from 0 to 1. For latency, milliseconds; for cost, the price of one run.',
    ),
    weight: vscode.l10n.t("How much this counts. With 0 it can't fail."),
    type: vscode.l10n.t('The kind of expectation. Each has a form with "not-".'),
    value: vscode.l10n.t('What is expected.'),
    provider: vscode.l10n.t('The model that judges this llm-rubric, instead of the one for the file.'),
  };
  return Object.hasOwn(help, name) ? help[name] : (modelHelp(name) ?? helpOnParameter(name));
}

/** The fields of an entry in `models` that names its service. */
function modelHelp(field: string): string | undefined {
  if (field === 'model') return vscode.l10n.t('A model ID, or a pattern, for example "<provider>/*".');
  if (field !== 'service') return undefined;
  return vscode.l10n.t('The name or ID of the service that has this model. Nothing is sent to another one.');
}

function helpOnParameter(field: string): string | undefined {
  const name = chatParameterNames.find((known) => chatParameters[known].wire === field);
  return name && parameterHelp()[name];
}

/** What a kind of expectation means. */
export function expectationHelp(kind: ExpectationKind): string {
  const help: Readonly<Record<ExpectationKind, string>> = {
    equals: vscode.l10n.t("The reply is exactly this. With an object, it's the same JSON."),
    contains: vscode.l10n.t('The reply contains this text.'),
    icontains: vscode.l10n.t('The reply contains this text, ignoring case.'),
    'contains-all': vscode.l10n.t('The reply contains all of these texts.'),
    'contains-any': vscode.l10n.t('The reply contains one of these texts.'),
    'icontains-all': vscode.l10n.t('The reply contains all of these texts, ignoring case.'),
    'icontains-any': vscode.l10n.t('The reply contains one of these texts, ignoring case.'),
    'starts-with': vscode.l10n.t('The reply starts with this text.'),
    regex: vscode.l10n.t('The reply matches this regular expression.'),
    'is-json': vscode.l10n.t('The reply is JSON. With a value, JSON that fits this schema.'),
    'contains-json': vscode.l10n.t('The reply contains JSON. With a value, JSON that fits this schema.'),
    'word-count': vscode.l10n.t('The reply has this many words, or between min and max.'),
    latency: vscode.l10n.t('The reply takes at most this many milliseconds.'),
    cost: vscode.l10n.t('One run costs at most this much.'),
    'finish-reason': vscode.l10n.t('The reply has this finish reason, for example "stop".'),
    'llm-rubric': vscode.l10n.t('The judge finds that the reply is as described here.'),
  };
  return help[kind];
}
