import type { Citation } from '#core/api';

/**
 * Literature cited for or against recommendations. `finding` is our summary; the papers say more, and more
 * carefully.
 */
export const literature = {
  act: {
    authors: 'Zhao, Kumar, Levine, Finn',
    year: 2023,
    title: 'Learning Fine-Grained Bimanual Manipulation with Low-Cost Hardware',
    venue: 'RSS 2023',
    arxiv: '2304.13705',
    finding:
      'Predicting chunks of absolute joint targets raises success from 1 % (single steps) to 44 % (chunks of 100 rows at 50 Hz) and helps the policy over pauses of the demonstrator',
  },
  diffusion_policy: {
    authors: 'Chi, Xu, Feng, Cousineau, Du, Burchfiel, Tedrake, Song',
    year: 2023,
    title: 'Diffusion Policy: Visuomotor Policy Learning via Action Diffusion',
    venue: 'RSS 2023',
    arxiv: '2303.04137',
    finding:
      'Denoising action chunks outperforms the compared behaviour-cloning methods by 46.9 % on average, and works better with position targets than with velocities',
  },
  robomimic: {
    authors: 'Mandlekar, Xu, Wong, Nasiriany, Wang, Kulkarni, Fei-Fei, Savarese, Zhu, Martín-Martín',
    year: 2021,
    title: 'What Matters in Learning from Offline Human Demonstrations for Robot Manipulation',
    venue: 'CoRL 2021',
    arxiv: '2108.03298',
    finding:
      'On human demonstrations, policies with history outperform those without, and results depend strongly on demonstration quality',
  },
  noising: {
    authors: 'Pan, Anantharaman, Huang, Jin, Pfrommer, Yuan, Permenter, Qu, Boffi, Shi, Simchowitz',
    year: 2025,
    title: 'Much Ado About Noising: Dispelling the Myths of Generative Robotic Control',
    venue: 'ICLR 2026',
    arxiv: '2512.01809',
    finding:
      'With equal architectures, a two-step regression policy roughly matches flow policies; the advantage of flow policies is not multimodality',
  },
  openvla_oft: {
    authors: 'Kim, Finn, Liang',
    year: 2025,
    title: 'Fine-Tuning Vision-Language-Action Models: Optimizing Speed and Success',
    venue: null,
    arxiv: '2502.19645',
    finding:
      'Chunks of continuous actions with an L1 loss raise a fine-tuned VLA from 76.5 % to 97.1 % on LIBERO and outperform policies trained from scratch on a bimanual robot',
  },
  fast: {
    authors: 'Pertsch, Stachowicz, Ichter, Driess, Nair, Vuong, Mees, Finn, Levine',
    year: 2025,
    title: 'FAST: Efficient Action Tokenization for Vision-Language-Action Models',
    venue: null,
    arxiv: '2501.09747',
    finding:
      'Binning each action per row, as early VLAs did, performs poorly on dexterous skills at high control rates',
  },
  bid: {
    authors: 'Liu, Hamid, Xie, Lee, Du, Finn',
    year: 2024,
    title: 'Bidirectional Decoding: Improving Action Chunking via Guided Test-Time Sampling',
    venue: null,
    arxiv: '2408.17355',
    finding:
      'Reports on action chunking disagree: chunks stay consistent with the demonstrator at the cost of reacting to the unexpected',
  },
  action_space_design: {
    authors: 'Feng, Zheng, Wang, Liu, Li, Pang, Wang, Zhan',
    year: 2026,
    title: 'Demystifying Action Space Design for Robotic Manipulation Policies',
    venue: null,
    arxiv: '2602.23408',
    finding:
      'In 13,000 real rollouts, predicting deltas instead of absolute targets helps consistently; joint space is more stable, task space generalises better',
  },
  umi: {
    authors: 'Chi, Xu, Pan, Cousineau, Burchfiel, Feng, Tedrake, Song',
    year: 2024,
    title: 'Universal Manipulation Interface: In-The-Wild Robot Teaching Without In-The-Wild Robots',
    venue: 'RSS 2024',
    arxiv: '2402.10329',
    finding:
      'End-effector trajectories relative to the start of a chunk transfer demonstrations from handheld grippers to several robots',
  },
  action_space_rl: {
    authors: 'Aljalbout, Frank, Karl, van der Smagt',
    year: 2023,
    title: 'On the Role of the Action Space in Robot Manipulation Learning and Sim-to-Real Transfer',
    venue: null,
    arxiv: '2312.03673',
    finding:
      'In reinforcement learning in simulation, velocity-based action spaces transfer to the real arm better than positions: the best action space depends on how the policy is trained',
  },
  scaling: {
    authors: 'Lin, Hu, Sheng, Wen, You, Gao',
    year: 2024,
    title: 'Data Scaling Laws in Imitation Learning for Robotic Manipulation',
    venue: 'ICLR 2025',
    arxiv: '2410.18647',
    finding:
      'Generalisation follows a power law in the number of environments and objects; more demonstrations of the same environment and object soon add little',
  },
  pitfalls: {
    authors: 'Simchowitz, Pfrommer, Jadbabaie',
    year: 2025,
    title: 'The Pitfalls of Imitation Learning when Actions are Continuous',
    venue: null,
    arxiv: '2503.09722',
    finding:
      'Errors of smooth single-step policies grow exponentially with the horizon; action chunks and diffusion avoid this',
  },
  v_jepa_2: {
    authors: 'Assran, Bardes, Fan, Garrido, Howes, and others',
    year: 2025,
    title: 'V-JEPA 2: Self-Supervised Video Models Enable Understanding, Prediction and Planning',
    venue: null,
    arxiv: '2506.09985',
    finding:
      'A video model trained without actions needs less than 62 hours of robot data with actions for planning on unseen arms',
  },
  jepa_wm: {
    authors: 'Terver, Yang, Ponce, Bardes, LeCun',
    year: 2025,
    title: 'What Drives Success in Physical Planning with Joint-Embedding Predictive World Models?',
    venue: null,
    arxiv: '2512.24497',
    finding:
      'Architecture, objective and planner determine much of the success of such models; data alone does not show which to choose',
  },
} as const satisfies Record<string, Citation>;

/** Key of a publication in `literature`. */
export type CitationId = keyof typeof literature;
