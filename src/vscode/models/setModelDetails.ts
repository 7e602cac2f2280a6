import * as vscode from 'vscode';
import { capabilityList, capabilityText } from '../../core/services/capabilityText.ts';
import type { ModelIndex } from '../../core/models/modelIndex.ts';
import { type ModelPurpose, modelPurposes, type StatedModel } from '../../core/models/statedModel.ts';
import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { amountText } from '../../words/amount.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { tokenLimitText } from '../../words/tokens.ts';
import { DisposableList } from '../platform/disposables.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { changeService } from '../service/serviceList.ts';
import type { Services } from '../service/services.ts';
import { isRecord } from '../../shared/isRecord.ts';

type Field = keyof StatedModel;

export interface ModelDetailsSources {
  readonly services: Pick<Services, 'for'>;
  readonly catalog: { readonly index: Pick<ModelIndex, 'findOrName'> };
}

/** Asks for details that the model list lacks, field by field until the user leaves, and stores them in the settings. */
export async function setModelDetails(ref: ModelRef, { services, catalog }: ModelDetailsSources): Promise<void> {
  const { model: id } = refParts(ref);
  const title = vscode.l10n.t('Details of {0}', modelLabel(ref));
  for (;;) {
    const service = services.for(ref);
    if (service === undefined) return;
    const stated = service.entry.value.models[id] ?? {};
    const { model } = catalog.index.findOrName(ref);
    const known: StatedModel = {
      ...(model.contextWindow !== undefined && { contextWindow: model.contextWindow }),
      ...(model.inputPricePerMillion !== undefined && { inputPrice: model.inputPricePerMillion }),
      ...(model.outputPricePerMillion !== undefined && { outputPrice: model.outputPricePerMillion }),
    };
    const rows = fields.map((field) => ({
      field,
      label: fieldName(field),
      description: valueText({ ...known, ...stated }, field),
      detail: stated[field] === undefined ? undefined : vscode.l10n.t('set by you'),
    }));
    const placeHolder = vscode.l10n.t('Select what to set. It replaces the value in the model list.');
    const row = await plainWindow.showQuickPick(
      rows.map(({ detail, ...rest }) => ({ ...rest, ...(detail !== undefined && { detail }) })),
      { title, placeHolder },
    );
    if (row === undefined) return;
    const value = await (row.field === 'supports' ? askPurposes(title, stated) : askNumber(title, row.field, stated));
    if (value === undefined) continue;
    // The settings might have changed while the user was entering it.
    await changeService(service.id, ({ models }) => ({ models: withDetail(models, id, row.field, value.set) }));
  }
}

/**
 * What is set for all models, as it's in the user's settings, including errors: only the user decides about them.
 *
 * @param value undefined removes it
 */
function withDetail(models: unknown, id: string, field: Field, value: Entered['set']): object | undefined {
  const all = isRecord(models) ? models : {};
  const before = all[id];
  const { [field]: _before, ...others } = isRecord(before) ? before : {};
  const now = value === undefined ? others : { ...others, [field]: value };
  const { [id]: _own, ...otherModels } = all;
  const after = Object.keys(now).length === 0 ? otherModels : { ...otherModels, [id]: now };
  return Object.keys(after).length === 0 ? undefined : after;
}

const fields = ['contextWindow', 'inputPrice', 'outputPrice', 'supports'] as const satisfies readonly Field[];

/** What was entered; without `set`, the list's own value counts. */
interface Entered {
  readonly set?: number | readonly ModelPurpose[];
}

/** Undefined if the user cancels. */
async function askNumber(
  title: string,
  field: Exclude<Field, 'supports'>,
  stated: StatedModel,
): Promise<Entered | undefined> {
  const isCount = field === 'contextWindow';
  const text = await plainWindow.showInputBox({
    title: `${title}: ${fieldName(field)}`,
    prompt: isCount
      ? vscode.l10n.t('Tokens, for example 32768. Leave empty to use the value in the model list.')
      : vscode.l10n.t('Per 1M tokens, for example 0.15. Leave empty to use the value in the model list.'),
    value: stated[field] === undefined ? '' : String(stated[field]),
    ignoreFocusOut: true,
    validateInput: (typed) =>
      typed.trim() === '' || numberIn(typed, isCount) !== undefined
        ? undefined
        : isCount
          ? vscode.l10n.t('Enter a whole number above 0.')
          : vscode.l10n.t('Enter a number, 0 or more.'),
  });
  if (text === undefined) return undefined;
  const set = numberIn(text, isCount);
  return set === undefined ? {} : { set };
}

function numberIn(text: string, isCount: boolean): number | undefined {
  const plain = text.trim();
  if (!(isCount ? /^\d{1,9}$/ : /^(\d{1,9}(\.\d{0,9})?|\.\d{1,9})$/).test(plain)) return undefined;
  const value = Number(plain);
  return isCount && value === 0 ? undefined : value;
}

async function askPurposes(title: string, { supports = [] }: StatedModel): Promise<Entered | undefined> {
  const rows = modelPurposes.map((purpose) => ({ purpose, label: capabilityText(purpose) }));
  const own = new DisposableList();
  const pick = own.add(plainWindow.createQuickPick<(typeof rows)[number]>());
  pick.title = `${title}: ${fieldName('supports')}`;
  pick.placeholder = vscode.l10n.t('Select all that apply, or none to use the values in the model list');
  pick.canSelectMany = true;
  pick.items = rows;
  pick.selectedItems = rows.filter(({ purpose }) => supports.includes(purpose));
  const chosen = await new Promise<typeof rows | undefined>((resolve) => {
    own.add(pick.onDidAccept(() => resolve([...pick.selectedItems])));
    own.add(pick.onDidHide(() => resolve(undefined)));
    pick.show();
  }).finally(() => own.dispose());
  if (chosen === undefined) return undefined;
  return chosen.length === 0 ? {} : { set: chosen.map(({ purpose }) => purpose) };
}

function fieldName(field: Field): string {
  switch (field) {
    case 'contextWindow':
      return vscode.l10n.t('Context window');
    case 'inputPrice':
      return vscode.l10n.t('Input price');
    case 'outputPrice':
      return vscode.l10n.t('Output price');
    case 'supports':
      return vscode.l10n.t('What it supports');
  }
}

function valueText(model: StatedModel, field: Field): string {
  const value = model[field];
  if (value === undefined) return '';
  if (typeof value !== 'number') return capabilityList(value);
  return field === 'contextWindow' ? tokenLimitText(value) : vscode.l10n.t('{0} per 1M tokens', amountText(value));
}
