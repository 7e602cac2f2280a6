/** How servers name themselves, or what only they write, in the `owned_by` of their models. */
const names: Readonly<Record<string, string>> = {
  library: 'Ollama',
  llamacpp: 'llama.cpp',
  organization_owner: 'LM Studio',
  vllm: 'vLLM',
};

/** The name of the server that returned these models. Undefined if they don't show it: any server can use any port. */
export function localServerName(models: readonly { readonly ownedBy?: string }[]): string | undefined {
  for (const { ownedBy = '' } of models) {
    if (Object.hasOwn(names, ownedBy)) return names[ownedBy];
  }
  return undefined;
}
