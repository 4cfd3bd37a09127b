// Mass matrix, inverse and forward dynamics of chains in Pinocchio, through its headers.
//
// Pinocchio has two conventions for two of the questions; both are timed. Prints a line per chain and
// question: name, bodies, least time of a call (ns), then the answer's sum of
// squares, by which the chain is known to be the same one.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody.hpp>

namespace pin = pinocchio;

// Links of 1 kg and 0.5 m hanging from each other, axes y, x, z in turn.
static pin::Model chain(int n) {
    pin::Model model;
    model.gravity.linear(Eigen::Vector3d(0.0, 0.0, -9.81));
    const Eigen::Vector3d at(0.0, 0.0, -0.5), center(0.0, 0.0, -0.25);
    const Eigen::Matrix3d inertia = Eigen::Vector3d(0.02, 0.02, 0.001).asDiagonal();
    pin::JointIndex parent = 0;
    for (int i = 0; i < n; ++i) {
        const pin::SE3 place(Eigen::Matrix3d::Identity(), at);
        const std::string name = "j" + std::to_string(i);
        switch (i % 3) {
        case 0: parent = model.addJoint(parent, pin::JointModelRY(), place, name); break;
        case 1: parent = model.addJoint(parent, pin::JointModelRX(), place, name); break;
        default: parent = model.addJoint(parent, pin::JointModelRZ(), place, name);
        }
        model.appendBodyToJoint(parent, pin::Inertia(1.0, center, inertia), pin::SE3::Identity());
    }
    return model;
}

template <class Call> static double least_ns(int rounds, Call call) {
    const int calls = 20000;
    double least = 1e300;
    for (int round = 0; round < rounds; ++round) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < calls; ++i) {
            call();
            asm volatile("" : : : "memory");
        }
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        least = std::min(least, took.count() / calls);
    }
    return least;
}

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 7;
    for (int n : {2, 7, 30}) {
        const pin::Model model = chain(n);
        pin::Data data(model);
        Eigen::VectorXd q(n), v(n), a(n), tau(n);
        for (int i = 0; i < n; ++i) {
            q[i] = 0.3 + 0.01 * i;
            v[i] = 0.7 - 0.02 * i;
            a[i] = 0.2 + 0.03 * i;
            tau[i] = 0.1 * i;
        }
        double t = least_ns(rounds, [&] { pin::crba(model, data, q, pin::Convention::LOCAL); });
        Eigen::MatrixXd mass = data.M.selfadjointView<Eigen::Upper>();
        std::printf("pinocchio mass %d %.1f %.17g\n", n, t, mass.squaredNorm());
        t = least_ns(rounds, [&] { pin::crba(model, data, q, pin::Convention::WORLD); });
        std::printf("pinocchio-world mass %d %.1f %.17g\n", n, t, mass.squaredNorm());
        t = least_ns(rounds, [&] { pin::rnea(model, data, q, v, a); });
        std::printf("pinocchio inverse %d %.1f %.17g\n", n, t, data.tau.squaredNorm());
        t = least_ns(rounds, [&] { pin::aba(model, data, q, v, tau, pin::Convention::LOCAL); });
        std::printf("pinocchio forward %d %.1f %.17g\n", n, t, data.ddq.squaredNorm());
        t = least_ns(rounds, [&] { pin::aba(model, data, q, v, tau, pin::Convention::WORLD); });
        std::printf("pinocchio-world forward %d %.1f %.17g\n", n, t, data.ddq.squaredNorm());
    }
}
