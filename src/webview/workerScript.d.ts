/** The bundled script of a worker, as text. */
declare module 'worker:*' {
  const script: string;
  export default script;
}
