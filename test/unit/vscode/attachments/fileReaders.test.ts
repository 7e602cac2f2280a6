import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../src/vscode/', import.meta.url));

/**
 * Code that reads a file or a diff without asking whether it might contain secrets, and why none is sent without a
 * confirmation.
 */
const others: Readonly<Record<string, string>> = {
  'agentTools/registerAgentTools.ts': 'reads what it has just generated',
  'attachments/contextDocuments.ts': 'shows what was attached already',
  'attachments/pictureBytes.ts': 'reads an image that the user selected or dropped',
  'attachments/sources/gitContext.ts': 'core/prompts/gitDiff.ts leaves secret files out',
  'checks/checkMessages.ts': 'shows a reply beside what was expected',
  'checks/newCheck.ts': 'opens a file of checks to edit it',
  'checks/useCheckedModel.ts': 'writes a model into a prompt file',
  'commitMessage/registerCommitMessage.ts': 'core/prompts/gitDiff.ts leaves secret files out',
  'chat/conversationCommands.ts': 'shows a reply',
  'participant/codeAround.ts': 'opens again what was attached; gatherSurroundings.ts asks',
  'diagnostics/registerDiagnostics.ts': 'shows a report of ours',
  'platform/documents/openModelText.ts': 'opens what a model wrote',
  'prompts/fixAction.ts': 'hands over to promptPlan.ts, which asks',
  'prompts/promptCommands.ts': 'opens a prompt file to edit it',
  'platform/documents/currentText.ts':
    'reads prompt files, checks, and the sources of checks, each of which checks/mayRunChecks.ts asks about',
  'prompts/into/replyLenses.ts': 'writes tests into it',
  'platform/documents/followedDocument.ts': 'opens a document again, to write into it',
  'requests/requestDocuments.ts': 'shows a request',
};

const reads = /openTextDocument\([^{)\s]|workspace\.fs\.readFile\(|\.diff\(/;
const asks = /from '(?:\.{1,2}\/)+(?:attachments\/)?(?:secretFile|sendableFiles)\.ts'/;

describe('A file that is read', () => {
  it('is asked about if it might contain secrets, or is listed here with the reason', async () => {
    const found: string[] = [];
    for await (const path of glob(`${root}**/*.ts`)) {
      const source = await readFile(path, 'utf8');
      if (reads.test(source) && !asks.test(source)) found.push(relative(root, path).replaceAll('\\', '/'));
    }
    assert.deepEqual(found.toSorted(), Object.keys(others).toSorted());
  });
});
