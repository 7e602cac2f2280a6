import assert from 'node:assert/strict';
import type { SetupFailure } from '../../../../src/shared/apiFailure.ts';
import { problemOf } from '../../../../src/core/problems/problemOf.ts';
import { setupButton } from '../../../../src/vscode/participant/setupButton.ts';

const commands: Readonly<Record<SetupFailure['missing'], string>> = {
  baseUrl: 'parlance.setBaseUrl',
  validBaseUrl: 'parlance.setBaseUrl',
  validNativeUrl: 'parlance.openSettings',
  validLegacyUrl: 'parlance.openSettings',
  encryptedLegacyUrl: 'parlance.openSettings',
  otherNativeUrl: 'parlance.openSettings',
  apiKey: 'parlance.setApiKey',
  savedApiKey: 'parlance.setApiKey',
  validApiKey: 'parlance.setApiKey',
  apiKeyForThisHost: 'parlance.setApiKey',
  service: 'parlance.selectDefaultModel',
  model: 'parlance.selectDefaultModel',
};

describe("The button below a reply that failed in VS Code's chat", () => {
  for (const [missing, command] of Object.entries(commands)) {
    it(`runs ${command} if this is missing: ${missing}`, () => {
      const failure: SetupFailure = { kind: 'setup', missing: missing as SetupFailure['missing'] };
      const problem = problemOf(failure, { pages: {}, now: 0, hasPartialText: false, closestModels: () => [] });
      const button = setupButton({ ...problem, service: 'hosted' });
      assert.equal(button?.command, command);
      assert.notEqual(button?.title, '');
      assert.deepEqual(button?.arguments, [{ service: 'hosted' }]);
      assert.equal(setupButton(problem)?.arguments, undefined);
    });
  }
});
