/** The script of a worker, bundled by itself, as text. */
declare module 'worker:*' {
  const script: string;
  export default script;
}
