import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';

import { App } from './app/app';
import { queries } from './app/queries';
import './styles/base.css';
import './styles/parts.css';
import './styles/picture.css';
import './styles/search.css';

const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no place for the console');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Router base="/console">
        <App />
      </Router>
    </QueryClientProvider>
  </StrictMode>,
);
