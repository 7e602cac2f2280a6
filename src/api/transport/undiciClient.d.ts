/**
 * Loads only undici's one-connection client, by its own path. The package's main entry also loads `fetch`, and replaces
 * the process-wide dispatcher that Node's own `fetch` uses, for every extension in the host.
 */
declare module 'undici/lib/dispatcher/client.js' {
  import type { Client } from 'undici';
  const ClientClass: typeof Client;
  export default ClientClass;
}
