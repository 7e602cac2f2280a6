import assert from 'node:assert/strict';
import { looksSecret } from '../../../src/core/secretName.ts';

describe('A name that looks secret', () => {
  for (const path of [
    '.env',
    'app/.env.production',
    'server.pem',
    'certs/tls.KEY',
    'home/.ssh/config',
    '.aws/credentials',
    'id_ed25519',
    '.npmrc',
    'secrets.yaml',
    'credentials.json',
    'service-account-prod.json',
    'main.tfstate',
    '.git-credentials',
  ]) {
    it(`is ${path}`, () => assert.equal(looksSecret(path), true));
  }

  for (const path of [
    '.env.example',
    'src/environment.ts',
    'id_ed25519.pub',
    'keyboard.ts',
    'src/secretName.ts',
    'docs/credentials.md',
    'package.json',
    'monkey.ts',
  ]) {
    it(`is not ${path}`, () => assert.equal(looksSecret(path), false));
  }
});
