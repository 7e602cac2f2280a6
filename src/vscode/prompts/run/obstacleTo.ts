import * as vscode from 'vscode';
import { problemOfReadOnly, problemOfSeveralCells } from '../../../core/problems/promptProblems.ts';
import type { Problem } from '../../../shared/problem.ts';
import { isEditable } from '../../platform/isEditable.ts';
import type { LiveSource } from './liveSource.ts';

/** Why a reply cannot be written into what it is about. */
export async function obstacleTo({ document, present }: LiveSource): Promise<Problem | undefined> {
  if (present?.moreCells !== undefined) return problemOfSeveralCells();
  if (await isEditable(document)) return undefined;
  return problemOfReadOnly(vscode.workspace.asRelativePath(document.uri, false));
}
