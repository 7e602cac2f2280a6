import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { looksSecret } from '../../../../src/core/safety/looksSecret.ts';

describe('A name that suggests secrets', () => {
  const secret: Readonly<Record<string, readonly string[]>> = {
    environments: [
      ...words('.env app/.env.production .env-production deploy/prod.env .env~ .envrc .dev.vars .secrets'),
      ...words('.%EF%BD%85nv .env.local.bak .env%20copy .env.keys'),
    ],
    'keys and key stores': [
      ...words('server.pem certs/tls.KEY AuthKey_ABC123.p8 cert.p12 cert.pfx release.jks upload.keystore'),
      ...words('vault.kdbx old.kdb id.ppk host.keytab server.key.old office.ovpn private-key.txt'),
      ...words('id_rsa id_ed25519 id_ed25519_sk id_rsa.bak deploy_ed25519 etc/ssh/ssh_host_rsa_key'),
      // Only a dot and the extension: `.keystore` is where Java's keytool stores keys.
      ...words('secring.gpg .keystore certs/.key .pem .tfvars'),
    ],
    'sign-ins of programs': [
      ...words('.npmrc .pypirc .netrc _netrc .git-credentials .vault-token .htpasswd .pgpass .my.cnf'),
      ...words('auth.json .codex/auth.json .m2/settings.xml .gradle/gradle.properties .docker/config.json'),
      ...words('.dockercfg .config/gh/hosts.yml .cargo/credentials.toml .claude/.credentials.json .s3cfg'),
      ...words('rclone.conf'),
      ...words('.vscode/sftp.json sftp-config.json .idea/WebServers.xml FileZilla/sitemanager.xml'),
      ...words('.bash_history'),
    ],
    'cloud services': [
      ...words('home/.ssh/config .aws/credentials .aws/config .kube/config kubeconfig staging.kubeconfig'),
      ...words('gcloud/application_default_credentials.json service-account-prod.json local.settings.json'),
      ...words('client_secret_123.apps.googleusercontent.com.json my-app-firebase-adminsdk-x1y2z.json token.json'),
      ...words('main.tfstate terraform.tfstate.backup terraform.tfstate.1700000000.backup prod.tfvars'),
      ...words('prod.auto.tfvars.json site.PublishSettings google-services.json accessKeys.csv'),
    ],
    'words for secrets': [
      ...words('secrets.yaml secrets.yml secret.json config/secrets.prod.yml db-secret.yaml'),
      ...words('credentials.json'),
      ...words('credentials%20(1).json credentials%20copy.json prod_credentials.csv api_key.txt'),
      ...words('apikeys.json passwords.txt'),
      ...words('config/secrets/database.json run/secrets/db_password wp-config.php local.properties'),
      ...words('arduino_secrets.h'),
    ],
    'names that macOS takes for others': [
      '.\u00dfh/config',
      '.\u1e9eh/id',
      '.\u017fsh/config',
      '\u0131d_rsa',
      '.\u212aube/config',
    ],
  };
  for (const [kind, paths] of Object.entries(secret)) {
    describe(`of ${kind}`, () => {
      for (const path of paths) it(`is ${path}`, () => assert.equal(looksSecret(path), true));
    });
  }

  const plain: readonly string[] = [
    ...words('.env.example .env-sample .env.local.example .env.defaults example.env src/environment.ts'),
    ...words('id_ed25519.pub server.crt keyboard.ts monkey.ts src/key docs/rsa public-key.txt'),
    ...words('src/looksSecret.ts src/secrets/index.ts src/secrets.ts docs/credentials.md docs/secrets/README.md'),
    ...words('.github/secret_scanning.yml config/credentials.yml.enc terraform.tfvars.example main.tf'),
    ...words('settings.xml config.json src/config.json hosts.yml .docker/php/Dockerfile'),
    ...words('wp-config-sample.php'),
    ...words('locales/en/auth.json i18n/de/credentials.json src/auth.ts design/tokens.json src/token.ts'),
    ...words('layout/forgot_password.xml lang/passwords.php reset-password.html package.json package-lock.json'),
    ...words('src/main.ts.bak 100%.md history.md appsettings.json config/database.yml gradle.properties'),
  ];
  for (const path of plain) it(`isn't ${path}`, () => assert.equal(looksSecret(path), false));
});

describe('A secret name in another form', () => {
  const secrets = ['.env', '.env.local', 'id_rsa', 'server.pem', '.npmrc', 'credentials.json', '.ssh/config'];
  const plain = ['main.ts', 'src/environment.ts', 'env.example', 'notes/ssh/config', 'id_rsa.pub', 'monkey.json'];
  const roots = ['', '/', '/home/u/', 'C:/Users/u/', 'c:\\Users\\u\\', '//server/share/', '\\\\?\\C:\\', '../../'];

  /** A path in another form that a user or a system might write for the same file. */
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

  it('is secret in every case, root, separator, encoding, and line ending', () => {
    fc.assert(
      fc.property(written(secrets), (path) => looksSecret(path)),
      { numRuns: 3000 },
    );
  });

  it('leaves other names alone', () => {
    fc.assert(
      fc.property(written(plain), (path) => !looksSecret(path)),
      { numRuns: 3000 },
    );
  });
});

function fullWidth(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + 0xfee0);
}

function words(text: string): readonly string[] {
  return text.split(' ');
}
