/**
 * Only the one-connection client of undici is loaded, by its own path: the package's front door
 * also loads `fetch` and, when it does, replaces the process-wide dispatcher that Node's own
 * `fetch` uses, for every extension in the host.
 */
declare module 'undici/lib/dispatcher/client.js' {
  import type { Client } from 'undici';
  const ClientClass: typeof Client;
  export default ClientClass;
}
