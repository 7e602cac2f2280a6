import type { PageMemory } from './pageMemory.ts';

const wrapped = 'md-code-wrap';

/** Remembers whether long lines of code are wrapped: the page is destroyed each time it's hidden. */
export function keepCodeWrap(memory: Pick<PageMemory, 'state' | 'change'>): void {
  const { classList } = document.documentElement;
  classList.toggle(wrapped, memory.state.wrapsCode);
  const changed = new MutationObserver(() => {
    const wrapsCode = classList.contains(wrapped);
    if (wrapsCode !== memory.state.wrapsCode) memory.change({ wrapsCode });
  });
  changed.observe(document.documentElement, { attributeFilter: ['class'] });
}
