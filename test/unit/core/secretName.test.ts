import assert from 'node:assert/strict';
import * as fc from 'fast-check';
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
    '.envrc',
    '.env-production',
    'deploy/prod.env',
    'id_ed25519_sk',
    'id_rsa.bak',
    '.env~',
    'server.key.old',
    'terraform.tfstate.backup',
    '.vault-token',
    'gcloud/application_default_credentials.json',
    '.%EF%BD%85nv',
  ]) {
    it(`is ${path}`, () => assert.equal(looksSecret(path), true));
  }

  for (const path of [
    '.env.example',
    '.env-sample',
    'src/environment.ts',
    'id_ed25519.pub',
    'keyboard.ts',
    'src/secretName.ts',
    'docs/credentials.md',
    'package.json',
    'monkey.ts',
    'src/main.ts.bak',
    '100%.md',
  ]) {
    it(`is not ${path}`, () => assert.equal(looksSecret(path), false));
  }
});

describe('A secret name in another form', () => {
  const secrets = ['.env', '.env.local', 'id_rsa', 'server.pem', '.npmrc', 'credentials.json', '.ssh/config'];
  const plain = ['main.ts', 'src/environment.ts', 'env.example', 'notes/ssh/config', 'id_rsa.pub', 'monkey.json'];
  const roots = ['', '/', '/home/u/', 'C:/Users/u/', 'c:\\Users\\u\\', '//server/share/', '\\\\?\\C:\\', '../../'];

  /** A path as somebody, or some system, may write the same file. */
  const written = (names: readonly string[]) =>
    fc
      .record({
        name: fc.constantFrom(...names),
        root: fc.constantFrom(...roots),
        isUpper: fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
        separator: fc.constantFrom('/', '\\', '//'),
        end: fc.constantFrom('', '.', ' ', '. .', '::$DATA', ':Zone.Identifier'),
        encoded: fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
        times: fc.integer({ min: 0, max: 2 }),
        mark: fc.constantFrom('', '\u200d', '\ufeff'),
        isWide: fc.boolean(),
      })
      .map(({ name, root, isUpper, separator, end, encoded, times, mark, isWide }) => {
        const cased = Array.from(name, (letter, index) =>
          isUpper[index % isUpper.length] === true ? letter.toUpperCase() : letter,
        ).join('');
        const wide = isWide ? cased.replace(/[a-z]/i, (letter) => fullWidth(letter)) : cased;
        let path = root + (wide.slice(0, 2) + mark + wide.slice(2)).replaceAll('/', separator) + end;
        for (let time = 0; time < times; time += 1) {
          path = Array.from(path, (letter, index) =>
            letter <= '~' && (letter === '%' || encoded[index % encoded.length] === true)
              ? `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`
              : letter,
          ).join('');
        }
        return path;
      });

  it('is secret in every case, root, separator, encoding and ending', () => {
    fc.assert(
      fc.property(written(secrets), (path) => looksSecret(path)),
      { numRuns: 3000 },
    );
  });

  it('leaves names alone that are not secret', () => {
    fc.assert(
      fc.property(written(plain), (path) => !looksSecret(path)),
      { numRuns: 3000 },
    );
  });
});

function fullWidth(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + 0xfee0);
}
