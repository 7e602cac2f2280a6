const secretNames: readonly RegExp[] = [
  /^\.env(?!\.(example|sample|template|dist)$)(\..+)?$/i,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|tfstate|tfvars|ovpn)$/i,
  /^id_(rsa|dsa|ecdsa|ed25519)$/i,
  /^(\.npmrc|\.pypirc|[._]netrc|\.git-credentials|\.htpasswd|\.pgpass|\.dockercfg|kubeconfig)$/i,
  /^(credentials|secrets?)(\.(json|ya?ml|toml|ini|xml|txt))?$/i,
  /^(service[-_]?account|client[-_]secrets?).*\.json$/i,
];
const secretFolders = /(^|\/)(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker)\//i;

/**
 * Whether a file looks by its name as if it held passwords or keys. Such a file is sent only after a
 * question of its own, and left out where several files are taken at once.
 *
 * @param path with `/` between its parts
 */
export function looksSecret(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return secretNames.some((pattern) => pattern.test(name)) || secretFolders.test(path);
}
