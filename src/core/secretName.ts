const secretNames: readonly RegExp[] = [
  /^\.env(?![._-](example|sample|template|dist)$)([._-].+)?$/i,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|tfstate|tfvars|ovpn)$/i,
  /.\.env$/i,
  /^\.envrc$/i,
  /^id_(rsa|dsa|(ecdsa|ed25519)(_sk)?)$/i,
  /^(\.vault-token|application_default_credentials\.json)$/i,
  /^(\.npmrc|\.pypirc|[._]netrc|\.git-credentials|\.htpasswd|\.pgpass|\.dockercfg|kubeconfig)$/i,
  /^(credentials|secrets?)(\.(json|ya?ml|toml|ini|xml|txt))?$/i,
  /^(service[-_]?account|client[-_]secrets?).*\.json$/i,
];
const secretFolder = /^(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker)$/i;

/** What editors and people put behind the name of a file that they keep a copy of. */
const copyEnding = /(?:~|\.(?:bak|backup|old|orig|save))$/i;

/** What macOS leaves out of a name when it looks for the file. */
const ignoredInNames = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** An address that was escaped more often than this is no way to name a file. */
const mostDecodings = 3;

/**
 * Whether a file looks by its path as if it held passwords or keys. Such a file is sent only after a
 * question of its own, and left out where several files are taken at once.
 *
 * A path counts in every form that some system takes for the same file: any case, `/` or `\`, escaped as in a URL,
 * with the dots, spaces and stream names that Windows drops. A file that only looks alike is asked about once too often.
 */
export function looksSecret(path: string): boolean {
  return forms(path).some((form) => {
    const parts = form.split(/[\\/]+/).map(asSystemsRead);
    const name = parts.pop() ?? '';
    return isSecretName(name) || parts.some((folder) => isSecretFolder(folder));
  });
}

function isSecretName(name: string): boolean {
  return candidates(name).some((each) => secretNames.some((pattern) => pattern.test(each)));
}

function isSecretFolder(name: string): boolean {
  return candidates(name).some((each) => secretFolder.test(each));
}

/** The path as it is, and with its escapes taken off. */
function forms(path: string): readonly string[] {
  const found = [path];
  for (let at = 0; at < mostDecodings; at += 1) {
    const decoded = unescaped(found.at(-1) ?? '');
    if (found.includes(decoded)) break;
    found.push(decoded);
  }
  return found;
}

/** A single `%` that escapes nothing must not keep the others from being read. */
function unescaped(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) =>
    new TextDecoder().decode(Uint8Array.from(escapes.slice(1).split('%'), (code) => Number.parseInt(code, 16))),
  );
}

/** Letters that differ in width, accent order or invisible marks alone name the same file on macOS. */
function asSystemsRead(name: string): string {
  return name.normalize('NFKC').replaceAll(ignoredInNames, '');
}

/** The name; what Windows makes of it: no stream (`name:stream`), no dots or spaces at the end; and what it is a copy of. */
function candidates(name: string): readonly string[] {
  const [beforeStream = ''] = name.split(':', 1);
  const found = [name, name.replace(/[. ]+$/, ''), beforeStream.replace(/[. ]+$/, '')];
  return [...found, ...found.map((each) => each.replace(copyEnding, ''))];
}
