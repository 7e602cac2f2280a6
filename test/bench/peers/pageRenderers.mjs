import DOMPurify from 'dompurify';
import highlightJs from 'highlight.js/lib/common';
import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { createElement, memo } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import ReactMarkdown from 'react-markdown';
import rehypeHighlight from 'rehype-highlight';
import remarkGfm from 'remark-gfm';
import { Streamdown } from 'streamdown';
import * as smd from 'streaming-markdown';

/** Draws the whole text again each time. */
function whole(draw) {
  return (root) => {
    let text = '';
    return {
      append: (more) => {
        text += more;
      },
      render: () => {
        draw(root, text);
        return true;
      },
    };
  };
}

function inReact(view) {
  return (root) => {
    const tree = createRoot(root);
    return whole((_root, text) => flushSync(() => tree.render(view(text))))(root);
  };
}

const plugins = { remarkPlugins: [remarkGfm], rehypePlugins: [rehypeHighlight] };
const Block = memo(({ text }) => createElement(ReactMarkdown, { ...plugins, children: text }));
const markdownIt = new MarkdownIt();

export const peers = {
  // Only a block of code, highlighted again with each line.
  'highlight.js': whole((root, text) => {
    const code = text.slice(text.indexOf('\n') + 1);
    root.innerHTML = `<pre><code>${highlightJs.highlight(code, { language: 'typescript' }).value}</code></pre>`;
  }),
  'react-markdown': inReact((text) => createElement(ReactMarkdown, { ...plugins, children: text })),
  'memoized-blocks': inReact((text) =>
    marked.lexer(text).map((token, index) => createElement(Block, { key: index, text: token.raw })),
  ),
  streamdown: inReact((text) => createElement(Streamdown, { children: text })),
  'streaming-markdown': (root) => {
    const parser = smd.parser(smd.default_renderer(root));
    let waiting = '';
    return {
      append: (text) => {
        waiting += text;
      },
      render: () => {
        smd.parser_write(parser, waiting);
        waiting = '';
        return true;
      },
    };
  },
  'markdown-it': whole((root, text) => {
    root.innerHTML = markdownIt.render(text);
  }),
  'marked + DOMPurify': whole((root, text) => {
    root.innerHTML = DOMPurify.sanitize(marked.parse(text, { async: false }));
  }),
};
