/**
 * Makes a rejection that nobody handles an uncaught exception, with which mocha fails the running test. As a library,
 * mocha listens for such rejections and drops them, which also turns off Node's own crash.
 */
export function failOnLostRejections(): void {
  process.on('unhandledRejection', (reason) => {
    throw reason;
  });
}
