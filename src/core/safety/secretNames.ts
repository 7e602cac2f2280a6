/**
 * Files that contain passwords, keys, tokens, or sessions, judging by their names alone. Collected from secret
 * scanners, GitHub's templates for .gitignore, and the exclusions of other assistants. Everything is in lower case,
 * because names are compared that way.
 *
 * Not listed: configuration that rarely contains secrets and that people ask about every day, for example
 * `database.yml`, `appsettings.json`, `settings.py`, `.bashrc`; certificates and public keys; and encrypted files.
 */

/** Files with a unique name, in any folder. */
export const secretFileNames: ReadonlySet<string> = new Set([
  // Environments
  ...words('.envrc .dev.vars .secret .secrets .credentials .token .passwd .password'),
  // Package registries
  ...words('.npmrc .pypirc settings-security.xml .dockercfg .dockerconfigjson'),
  // Sign-ins of command-line programs
  ...words('.netrc _netrc .git-credentials .vault-token .boto .s3cfg .terraformrc terraform.rc'),
  ...words('kubeconfig .databrickscfg .tugboat kaggle.json ngrok.yml rclone.conf'),
  ...words('.esmtprc .msmtprc .fetchmailrc .rhosts'),
  // Cloud services
  ...words('application_default_credentials.json accesskeys.csv rootkey.csv local.settings.json'),
  ...words('google-services.json googleservice-info.plist'),
  // Databases and servers
  ...words('.pgpass pgpass.conf .my.cnf .mylogin.cnf robomongo.json dbeaver-data-sources.xml'),
  ...words('.htpasswd .htdigest proftpdpasswd wp-config.php localsettings.php secret_token.rb'),
  // File transfer
  ...words('.ftpconfig .remote-sync.json sftp-config.json sitemanager.xml filezilla.xml recentservers.xml'),
  // Signing, and the configuration of a single computer
  ...words('local.properties key.properties keystore.properties signing.properties arduino_secrets.h'),
  ...words('secrets.h'),
  // Browsers and wallets
  ...words('logins.json cookies.txt wallet.dat'),
  // Histories of typed commands, including passwords
  ...words('fish_history consolehost_history.txt'),
]);

/** Folders in which every file counts. */
export const secretFolderNames: ReadonlySet<string> = new Set([
  ...words('.ssh .gnupg .aws .azure .kube .gcloud .oci .bluemix .aliyun'),
  ...words('.password-store .purple .secrets .credentials'),
]);

/** Files whose names only mean something in their folder: the end of the path. */
export const secretPaths: readonly { readonly folders: readonly string[]; readonly file: string }[] = [
  ...words('.docker/config.json .m2/settings.xml .gradle/gradle.properties .bundle/config'),
  ...words('gh/hosts.yml .config/hub glab-cli/config.yml doctl/config.yaml .snowsql/config .fly/config.yml'),
  ...words('gcloud/credentials.db gcloud/access_tokens.db huggingface/token sops/age/keys.txt'),
  ...words('.vscode/sftp.json .idea/webservers.xml etc/shadow etc/gshadow etc/master.passwd'),
].map((path) => ({ folders: path.split('/').slice(0, -1), file: path.slice(path.lastIndexOf('/') + 1) }));

/** File extensions. */
export const secretEndings: ReadonlySet<string> = new Set([
  // Private keys and key stores
  ...words('pem key p8 pk8 p12 pfx pkcs12 jks jceks bks keystore keytab ppk snk'),
  // Password managers
  ...words('kdb kdbx psafe3 agilekeychain 1pif keychain keychain-db'),
  // Infrastructure and networks
  ...words('tfstate tfvars ovpn kubeconfig publishsettings azurepubxml'),
]);

/** Extensions of data files, unlike code (`secrets.ts`) and documents (`secrets.md`). */
const data = '(?:json|ya?ml|toml|ini|xml|txt|csv|properties|conf|cfg|plist)';

/** Names with a variable part. */
export const secretPatterns = anyOf([
  // `.env`, `.env.local`, `.env-production`, `prod.env`, but no templates
  /^\.env(?:[._-](?!(?:.*[._-])?(?:example|sample|template|te?mpl|tpl|dist|defaults?|schema)$).+)?$/,
  /^(?!(?:example|sample|template|default)\.).+\.env$/,
  /^\.dev\.vars\.(?!(?:.*[._-])?example$).+$/,
  /\.(?:tfvars|tfstate)\.(?:json|\d+\.backup)$/,
  // `id_rsa`, `deploy_ed25519`, `ssh_host_rsa_key`; the public ones end in .pub
  /.[._-](?:rsa|dsa|ecdsa|ed25519)(?:[_-]sk)?(?:[_-]key)?$/,
  /^secring\./,
  /-firebase-adminsdk-.*\.json$/,
  /^\.[a-z0-9]+_history$/,
]);

/** Names made of words that mean secrets, with the extension of a data file. */
export const secretWords = anyOf([
  // `credentials.json`, `prod-secrets.yaml`, `db_secret.yaml`, and `secrets.dev.yml`
  new RegExp(`^(?:.*[._-])?(?:credentials|secrets?)(?:\\.${data})?$`),
  new RegExp(`^\\.?(?:credentials|secrets)[._-].*\\.${data}$`),
  // `api_key.txt`, `my-access-token.json`, `private-key.txt`
  new RegExp(`^(?:.*[._-])?(?:api|access|auth|private|secret)[._-]?(?:key|token)s?(?:\\.${data})?$`),
  /^(?:service[-_]?account|client[-_]secrets?).*\.json$/,
  // A page or an email about forgotten passwords has other extensions.
  /^passw(?:or)?ds?(?:\.(?:txt|csv|ini|conf))?$/,
  // Used by Composer and other programs; Google's samples use the second.
  /^(?:auth|token)\.json$/,
]);

/** In these folders, `auth.json` and similar files contain an app's translations. */
export const translationFolder = /^(?:locales?|i18n|l10n|lang|languages?|translations?)$/;

/**
 * Directly in a folder for secrets, every data file and every file without an extension counts. Code that handles
 * secrets is often in one too.
 */
export const secretInFolder: { readonly folder: RegExp; readonly name: RegExp } = {
  folder: /^(?:secrets|credentials)$/,
  name: new RegExp(`^(?:[^.]+|.*\\.${data})$`),
};

/** One combined pattern is several times as fast as many. */
function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'));
}

function words(text: string): readonly string[] {
  return text.split(' ');
}
