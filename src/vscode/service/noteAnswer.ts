import * as vscode from 'vscode';
import type { RequestOperation } from '../../core/requests/requestRecord.ts';
import { contextKeys } from '../settings/contributions.ts';

/** A model has answered: steps of the walkthrough are done with that. */
export function noteAnswer(operation: RequestOperation): void {
  const done = [contextKeys.connectionWorks, ...(operation === 'video' ? [contextKeys.videoMade] : [])];
  for (const key of done) void vscode.commands.executeCommand('setContext', key, true);
}
