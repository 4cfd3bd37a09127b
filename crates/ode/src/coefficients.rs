//! The numbers of the Dormand–Prince method of order 8(5,3) and of its continuous extension.
//!
//! Reference: `HairerNorsettWanner1993` (the program DOP853; its decimals were read off SciPy 1.17).
//! Each number is the nearest `f64` to the published decimals; zero weights are left out.

/// One weighted sum of stages: where its result is evaluated, which stages enter, with what weight.
pub(crate) struct Row<const M: usize> {
    /// Instant as a fraction of the step.
    pub(crate) node: f64,
    /// Indices of the stages, from zero.
    pub(crate) from: [usize; M],
    /// Weight of each stage.
    pub(crate) weight: [f64; M],
}

/// State at which stage 1 is taken.
pub(crate) const STAGE_1: Row<1> = Row {
    node: 0.05260015195876773,
    from: [0],
    weight: [0.05260015195876773],
};

/// State at which stage 2 is taken.
pub(crate) const STAGE_2: Row<2> = Row {
    node: 0.0789002279381516,
    from: [0, 1],
    weight: [0.0197250569845379, 0.0591751709536137],
};

/// State at which stage 3 is taken.
pub(crate) const STAGE_3: Row<2> = Row {
    node: 0.1183503419072274,
    from: [0, 2],
    weight: [0.02958758547680685, 0.08876275643042054],
};

/// State at which stage 4 is taken.
pub(crate) const STAGE_4: Row<3> = Row {
    node: 0.2816496580927726,
    from: [0, 2, 3],
    weight: [0.2413651341592667, -0.8845494793282861, 0.924834003261792],
};

/// State at which stage 5 is taken.
pub(crate) const STAGE_5: Row<3> = Row {
    node: 0.3333333333333333,
    from: [0, 3, 4],
    weight: [
        0.037037037037037035,
        0.17082860872947386,
        0.12546768756682242,
    ],
};

/// State at which stage 6 is taken.
pub(crate) const STAGE_6: Row<4> = Row {
    node: 0.25,
    from: [0, 3, 4, 5],
    weight: [
        0.037109375,
        0.17025221101954405,
        0.06021653898045596,
        -0.017578125,
    ],
};

/// State at which stage 7 is taken.
pub(crate) const STAGE_7: Row<5> = Row {
    node: 0.3076923076923077,
    from: [0, 3, 4, 5, 6],
    weight: [
        0.03709200011850479,
        0.17038392571223998,
        0.10726203044637328,
        -0.015319437748624402,
        0.008273789163814023,
    ],
};

/// State at which stage 8 is taken.
pub(crate) const STAGE_8: Row<6> = Row {
    node: 0.6512820512820513,
    from: [0, 3, 4, 5, 6, 7],
    weight: [
        0.6241109587160757,
        -3.3608926294469414,
        -0.868219346841726,
        27.59209969944671,
        20.154067550477894,
        -43.48988418106996,
    ],
};

/// State at which stage 9 is taken.
pub(crate) const STAGE_9: Row<7> = Row {
    node: 0.6,
    from: [0, 3, 4, 5, 6, 7, 8],
    weight: [
        0.47766253643826434,
        -2.4881146199716677,
        -0.590290826836843,
        21.230051448181193,
        15.279233632882423,
        -33.28821096898486,
        -0.020331201708508627,
    ],
};

/// State at which stage 10 is taken.
pub(crate) const STAGE_10: Row<8> = Row {
    node: 0.8571428571428571,
    from: [0, 3, 4, 5, 6, 7, 8, 9],
    weight: [
        -0.9371424300859873,
        5.186372428844064,
        1.0914373489967295,
        -8.149787010746927,
        -18.52006565999696,
        22.739487099350505,
        2.4936055526796523,
        -3.0467644718982196,
    ],
};

/// State at which stage 11 is taken.
pub(crate) const STAGE_11: Row<9> = Row {
    node: 1.0,
    from: [0, 3, 4, 5, 6, 7, 8, 9, 10],
    weight: [
        2.273310147516538,
        -10.53449546673725,
        -2.0008720582248625,
        -17.9589318631188,
        27.94888452941996,
        -2.8589982771350235,
        -8.87285693353063,
        12.360567175794303,
        0.6433927460157636,
    ],
};

/// The solution of order 8; its rate is stage 12, the first of the next step.
pub(crate) const SOLUTION: Row<8> = Row {
    node: 1.0,
    from: [0, 5, 6, 7, 8, 9, 10, 11],
    weight: [
        0.054293734116568765,
        4.450312892752409,
        1.8915178993145003,
        -5.801203960010585,
        0.3111643669578199,
        -0.1521609496625161,
        0.20136540080403034,
        0.04471061572777259,
    ],
};

/// State at which stage 13 is taken; only the dense output needs it.
pub(crate) const STAGE_13: Row<8> = Row {
    node: 0.1,
    from: [0, 6, 7, 8, 9, 10, 11, 12],
    weight: [
        0.056167502283047954,
        0.25350021021662483,
        -0.2462390374708025,
        -0.12419142326381637,
        0.15329179827876568,
        0.00820105229563469,
        0.007567897660545699,
        -0.008298,
    ],
};

/// State at which stage 14 is taken; only the dense output needs it.
pub(crate) const STAGE_14: Row<8> = Row {
    node: 0.2,
    from: [0, 5, 6, 7, 10, 11, 12, 13],
    weight: [
        0.03183464816350214,
        0.028300909672366776,
        0.053541988307438566,
        -0.05492374857139099,
        -0.00010834732869724932,
        0.0003825710908356584,
        -0.00034046500868740456,
        0.1413124436746325,
    ],
};

/// State at which stage 15 is taken; only the dense output needs it.
pub(crate) const STAGE_15: Row<8> = Row {
    node: 0.7777777777777778,
    from: [0, 5, 6, 7, 8, 12, 13, 14],
    weight: [
        -0.42889630158379194,
        -4.697621415361164,
        7.683421196062599,
        4.06898981839711,
        0.3567271874552811,
        -0.0013990241651590145,
        2.9475147891527724,
        -9.15095847217987,
    ],
};

/// Difference from the embedded solution of order 5.
pub(crate) const ERROR_5: Row<8> = Row {
    node: 1.0,
    from: [0, 5, 6, 7, 8, 9, 10, 11],
    weight: [
        0.01312004499419488,
        -1.2251564463762044,
        -0.4957589496572502,
        1.6643771824549864,
        -0.35032884874997366,
        0.3341791187130175,
        0.08192320648511571,
        -0.022355307863886294,
    ],
};

/// Difference from the embedded solution of order 3.
pub(crate) const ERROR_3: Row<8> = Row {
    node: 1.0,
    from: [0, 5, 6, 7, 8, 9, 10, 11],
    weight: [
        -0.18980075407240762,
        4.450312892752409,
        1.8915178993145003,
        -5.801203960010585,
        -0.42268232132379197,
        -0.1521609496625161,
        0.20136540080403034,
        0.022651792198360825,
    ],
};

/// Coefficient 4 of the dense output.
pub(crate) const DENSE_4: Row<12> = Row {
    node: 1.0,
    from: [0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    weight: [
        -8.428938276109013,
        0.5667149535193777,
        -3.0689499459498917,
        2.38466765651207,
        2.117034582445028,
        -0.871391583777973,
        2.2404374302607883,
        0.6315787787694688,
        -0.08899033645133331,
        18.148505520854727,
        -9.194632392478356,
        -4.436036387594894,
    ],
};

/// Coefficient 5 of the dense output.
pub(crate) const DENSE_5: Row<12> = Row {
    node: 1.0,
    from: [0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    weight: [
        10.427508642579134,
        242.28349177525817,
        165.20045171727028,
        -374.5467547226902,
        -22.113666853125306,
        7.733432668472264,
        -30.674084731089398,
        -9.332130526430229,
        15.697238121770845,
        -31.139403219565178,
        -9.35292435884448,
        35.81684148639408,
    ],
};

/// Coefficient 6 of the dense output.
pub(crate) const DENSE_6: Row<12> = Row {
    node: 1.0,
    from: [0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    weight: [
        19.985053242002433,
        -387.0373087493518,
        -189.17813819516758,
        527.8081592054236,
        -11.57390253995963,
        6.8812326946963,
        -1.0006050966910838,
        0.7777137798053443,
        -2.778205752353508,
        -60.19669523126412,
        84.32040550667716,
        11.99229113618279,
    ],
};

/// Coefficient 7 of the dense output.
pub(crate) const DENSE_7: Row<12> = Row {
    node: 1.0,
    from: [0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    weight: [
        -25.69393346270375,
        -154.18974869023643,
        -231.5293791760455,
        357.6391179106141,
        93.40532418362432,
        -37.45832313645163,
        104.0996495089623,
        29.8402934266605,
        -43.53345659001114,
        96.32455395918828,
        -39.17726167561544,
        -149.72683625798564,
    ],
};
